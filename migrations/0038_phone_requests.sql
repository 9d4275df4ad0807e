-- A phone that signed in with the right password, and waits for the host to let it take the place of the bound one.
create table phone_requests (
  room_user_id uuid primary key references room_users (id) on delete cascade,
  ticket_hash  text not null unique,
  device_id    text not null,
  device_model text,
  platform     text not null,
  requested_at timestamptz not null,
  decision     text check (decision in ('approved', 'refused')),
  decided_at   timestamptz
);
