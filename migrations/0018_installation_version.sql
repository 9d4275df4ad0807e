-- The release that used this database last, and the one before it. Null until a release that writes them has started.
alter table installation
  add column version text,
  add column previous_version text,
  add column updated_at timestamptz;
