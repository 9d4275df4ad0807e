-- A speech is a time that a room user spoke, short pauses included. It has no names: those are in the user's stays.
create table speeches (
  id           uuid primary key default gen_random_uuid(),
  room_id      uuid not null references rooms (id) on delete cascade,
  room_user_id uuid not null, -- no reference: the user may be gone
  began_at     timestamptz not null,
  ended_at     timestamptz not null,
  check (ended_at >= began_at)
);

create unique index speeches_user on speeches (room_user_id, began_at);
create index speeches_room on speeches (room_id, began_at);
create index speeches_age on speeches (ended_at);
