-- What shows that a phone is the bound one: a secret of ours that only it was given. Null where none was given yet.
alter table room_users
  add column device_secret_hash     text,
  add column device_secret_required boolean not null default false; -- the phone is known to have it: without it, it is another

alter table hosts
  add column device_secret_hash     text,
  add column device_secret_required boolean not null default false;

-- Its sign-in gave a secret to an app that keeps it, so that its first call tells that the secret has arrived.
alter table sessions add column brings_device_secret boolean not null default false;
