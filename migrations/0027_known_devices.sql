-- From what an account was signed in to before, so that guesses of others never lock its owner out, not even after a
-- restart. Only a keyed hash of account and device: neither can be read from it.
create table known_devices (
  hash    text primary key,
  seen_at timestamptz not null
);

create index known_devices_age on known_devices (seen_at);
