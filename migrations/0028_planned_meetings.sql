-- When a room meets: once, or weekly on some days of the week. Nothing is made at Zoom, where the standing meeting stays.
-- The day and the time are those of the zone, so that a meeting keeps its hour where the clocks change.
create table planned_meetings (
  id         uuid primary key default gen_random_uuid(),
  room_id    uuid not null references rooms (id) on delete cascade,
  first_day  text not null,               -- 2026-12-01: the day of the only meeting, or of the first possible one
  last_day   text,                        -- of a weekly one; null if it has no end
  weekdays   text[] not null default '{}', -- MO to SU; empty if it takes place once
  time       text not null,               -- 19:30
  minutes    smallint not null check (minutes between 5 and 1440),
  time_zone  text not null,
  over_at    timestamptz,                 -- the end of the last meeting; null if there is none
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index planned_meetings_room on planned_meetings (room_id);
create index planned_meetings_over on planned_meetings (over_at) where over_at is not null;
