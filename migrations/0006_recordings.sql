-- The index of each room's cloud recordings: a row is one file of one sitting (meeting_uuid) of the room's meeting.
create table recordings (
  id             uuid primary key default gen_random_uuid(),
  room_id        uuid not null references rooms (id) on delete cascade,
  meeting_id     text not null,
  meeting_uuid   text not null,
  zoom_file_id   text not null,
  topic          text not null,
  started_at     timestamptz not null,
  duration       integer not null default 0,          -- minutes
  status         text not null,
  file_type      text not null,
  file_size      double precision,
  recording_type text,
  total_size     double precision not null default 0, -- of the sitting
  archived_path  text,
  gone_at_zoom   boolean not null default false,
  trashed_at     timestamptz,
  seen_at        timestamptz not null default now(),
  unique (room_id, meeting_uuid, zoom_file_id)
);

create index recordings_room on recordings (room_id, started_at desc);
