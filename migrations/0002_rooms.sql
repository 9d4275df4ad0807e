-- Each host has one room, with a standing Zoom meeting.
create table rooms (
  id                              uuid primary key default gen_random_uuid(),
  host_id                         uuid not null unique references hosts (id) on delete cascade,
  name                            text not null,
  zoom_meeting_id                 text,                       -- null until Zoom is connected
  passcode_ciphertext             text,
  join_url_ciphertext             text,                       -- for Zoom's own app; it holds the passcode
  host_mute_all_active            boolean not null default false,
  mute_round                      integer not null default 0, -- see room_users
  change_number                   integer not null default 0, -- counts the committed changes of the live room
  passcode_change_requested_at    timestamptz,                -- since users changed; null if none is due
  passcode_change_next_attempt_at timestamptz,                -- not before this, so that Zoom's daily limit is kept
  start_requested_at              timestamptz,                -- when the host last got the start link
  created_at                      timestamptz not null default now()
);

create index rooms_passcode_change on rooms (passcode_change_requested_at)
  where passcode_change_requested_at is not null;
