-- Mute All holds for people in Zoom's own app too, as the host chose last.
alter table rooms add column mute_all_lock boolean not null default true;

-- Names in the Zoom meeting by which the host has a user recognised.
create table attendee_links (
  room_id      uuid not null references rooms (id) on delete cascade,
  folded_name  text not null,
  room_user_id uuid not null references room_users (id) on delete cascade,
  created_at   timestamptz not null,
  primary key (room_id, folded_name)
);
create index attendee_links_user on attendee_links (room_user_id);

-- The console that has a room's seat in the Zoom meeting. The row outlives the seat, for its epoch.
create table seats (
  room_id    uuid primary key references rooms (id) on delete cascade,
  seat_id    uuid,                                             -- null: nobody has it
  epoch      integer not null,                                 -- one more each time it is taken
  session_id uuid references sessions (id) on delete set null, -- of the console
  by         text not null,
  taken_at   timestamptz not null,
  expires_at timestamptz not null
);
create index seats_session on seats (session_id) where session_id is not null;
