-- Every token belongs to one of these rows, so that ending the row ends the token at once.
create table sessions (
  id                   uuid primary key default gen_random_uuid(),
  role                 text not null check (role in ('master', 'host', 'phone')),
  master_id            uuid references masters (id) on delete cascade,
  host_id              uuid references hosts (id) on delete cascade,
  room_user_id         uuid references room_users (id) on delete cascade, -- null for the host's own phone
  device_secret_issued boolean not null default false,                    -- its first call shows that it arrived
  sign_in_link_hash    text,                                              -- its phone may repeat a lost call
  ip                   text,
  created_at           timestamptz not null default now(),
  last_active_at       timestamptz not null default now(),                -- the last call that a person caused
  expires_at           timestamptz not null,
  ended_at             timestamptz,
  end_reason           text,
  check ((role = 'master') = (master_id is not null)),
  check ((role = 'master') = (host_id is null))
);

create index sessions_host on sessions (host_id) where ended_at is null;
create unique index sessions_one_phone on sessions (room_user_id) where ended_at is null and room_user_id is not null;
create unique index sessions_one_host_phone on sessions (host_id)
  where ended_at is null and role = 'phone' and room_user_id is null;
create index sessions_expiring on sessions (expires_at) where ended_at is null;
create index sessions_idle on sessions (last_active_at) where ended_at is null and role <> 'phone';
create index sessions_ended on sessions (ended_at) where ended_at is not null;

-- Devices from which an account was signed in to before: guesses of others never lock its owner out of these, not even
-- after a restart. Holds only a keyed hash of account and device, from which neither can be read.
create table known_devices (
  hash         text primary key,
  last_seen_at timestamptz not null
);

create index known_devices_age on known_devices (last_seen_at);
