-- One room a host: the standing Zoom meeting, and the people who may join it by phone.
create table rooms (
  id                   uuid primary key default gen_random_uuid(),
  host_id              uuid not null unique references hosts (id) on delete cascade,
  name                 text not null,
  zoom_meeting_id      text,                                -- null until Zoom is connected
  passcode_ciphertext  text,
  host_mute_all_active boolean not null default false,
  created_at           timestamptz not null default now()
);

-- A room user signs in from one phone at a time: device_id is that phone, null until the first login.
create table room_users (
  id                  uuid primary key default gen_random_uuid(),
  room_id             uuid not null references rooms (id) on delete cascade,
  user_id             text not null,                        -- the U000001 that the host hands out
  user_id_key         text not null,
  username            text not null,
  username_key        text not null,
  reference           text,
  email               text,
  password_hash       text not null,
  password_ciphertext text not null,                        -- for "copy credentials" alone
  is_active           boolean not null default true,
  is_muted            boolean not null default false,       -- by the host; the phone's own microphone is speaker_on
  phone_changed       boolean not null default false,       -- switched, and no new phone has signed in yet
  device_id           text,
  device_model        text,
  platform            text,
  app_version         text,
  login_time          timestamptz,
  last_seen           timestamptz,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  unique (room_id, user_id_key),
  unique (room_id, username_key)
);
