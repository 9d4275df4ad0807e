-- A room whose people have changed wants a new passcode, which is set at Zoom a little later and once for all of them.
alter table rooms
  add column new_passcode_wanted_at timestamptz,  -- since when; null while none is wanted
  add column new_passcode_try_at timestamptz;     -- not before this, so that Zoom's daily limit is kept

create index rooms_new_passcode on rooms (new_passcode_wanted_at) where new_passcode_wanted_at is not null;
