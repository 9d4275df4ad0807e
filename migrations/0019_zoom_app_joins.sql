-- Who has joined a sitting with an app of Zoom's own, while hosts may take seats. Without names.
create table zoom_app_joins (
  room_id      uuid not null,
  meeting_uuid text not null,
  participant  text not null,    -- Zoom's id of this joining
  is_host      boolean not null, -- the host's own app
  is_present   boolean not null,
  reported_at  timestamptz not null,
  primary key (room_id, meeting_uuid, participant),
  foreign key (room_id, meeting_uuid) references sittings (room_id, meeting_uuid) on delete cascade
);
