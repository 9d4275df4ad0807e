-- A room user signs in from one phone at a time: device_id is that phone, null until the first login.
-- Mute All and Unmute All write one row, however many users a room has: is_muted holds only while mute_round is the
-- room's. After the next Mute All or Unmute All the user is as the room's flag says, until it is muted by itself.
create table room_users (
  id                     uuid primary key default gen_random_uuid(),
  room_id                uuid not null references rooms (id) on delete cascade,
  user_id                text not null,                  -- the U000001 that the host hands out
  user_id_key            text not null,
  username               text not null,
  username_key           text not null,
  reference              text,
  email                  text,
  password_hash          text,                           -- null after an import, until a job has hashed the password
  password_ciphertext    text not null,                  -- for "copy credentials", and to sign in until it is hashed
  is_active              boolean not null default true,
  is_muted               boolean not null default false, -- by the host; the phone's own microphone is speaker_on
  mute_round             integer not null default 0,
  phone_changed          boolean not null default false, -- switched, and no new phone has signed in yet
  device_id              text,
  device_bound_at        timestamptz,                    -- null without a phone
  device_secret_hash     text,                           -- of the secret that only the bound phone was given, if any
  device_secret_required boolean not null default false, -- true once the phone has shown that it has the secret
  device_model           text,
  platform               text,
  app_version            text,
  login_time             timestamptz,
  last_seen              timestamptz,
  created_at             timestamptz not null default now(),
  updated_at             timestamptz not null default now(),
  unique (room_id, user_id_key),
  unique (room_id, username_key)
);

create index room_users_unhashed on room_users (id) where password_hash is null;

-- A phone that signed in with the right password waits for the host to let it take the place of the bound one.
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

-- A link from the host signs a user's phone in once. The row is deleted when the link is used or void.
create table sign_in_links (
  room_user_id uuid primary key references room_users (id) on delete cascade,
  token_hash   text not null unique,
  expires_at   timestamptz not null
);

-- A stay is a time that a room user was online. It outlives the user, so it keeps the names that the user had then.
create table stays (
  id           uuid primary key default gen_random_uuid(),
  room_id      uuid not null references rooms (id) on delete cascade,
  room_user_id uuid not null, -- no reference: the user may be gone
  user_id      text not null,
  username     text not null,
  joined_at    timestamptz not null,
  left_at      timestamptz,   -- null while online
  check (left_at >= joined_at)
);

create unique index stays_open on stays (room_user_id) where left_at is null;
create index stays_user on stays (room_user_id, joined_at);
create index stays_room on stays (room_id, left_at);
create index stays_age on stays (left_at);
