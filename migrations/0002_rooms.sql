-- Each host has one room, with a standing Zoom meeting.
create table rooms (
  id                     uuid primary key default gen_random_uuid(),
  host_id                uuid not null unique references hosts (id) on delete cascade,
  name                   text not null,
  zoom_meeting_id        text,                             -- null until Zoom is connected
  passcode_ciphertext    text,
  join_url_ciphertext    text,                             -- for Zoom's own app; holds the passcode in a form of Zoom's
  host_mute_all_active   boolean not null default false,
  mute_round             integer not null default 0,       -- see room_users
  change_number          integer not null default 0,       -- counts the committed changes of the live room
  new_passcode_wanted_at timestamptz,                      -- users left or changed; null while no new passcode is needed
  new_passcode_try_at    timestamptz,                      -- not before this, so that Zoom's daily limit is kept
  start_asked_at         timestamptz,                      -- when the host last got the link that starts the meeting
  created_at             timestamptz not null default now()
);

create index rooms_new_passcode on rooms (new_passcode_wanted_at) where new_passcode_wanted_at is not null;
