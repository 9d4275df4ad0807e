-- A stay is a time that a room user was online. It outlives the user, so it keeps the names that the user had then.
create table stays (
  id           uuid primary key default gen_random_uuid(),
  room_id      uuid not null references rooms (id) on delete cascade,
  room_user_id uuid not null,                  -- no reference: the user may be gone
  user_id      text not null,
  username     text not null,
  joined_at    timestamptz not null,
  left_at      timestamptz,                    -- null while online
  check (left_at >= joined_at)
);

create unique index stays_open on stays (room_user_id) where left_at is null;
create index stays_user on stays (room_user_id, joined_at);
create index stays_room on stays (room_id, left_at);
create index stays_age on stays (left_at);

-- When each node last gave a sign of life while phones were online at it: to close the stays of one that was killed.
create table nodes (
  id      uuid primary key,
  seen_at timestamptz not null
);
