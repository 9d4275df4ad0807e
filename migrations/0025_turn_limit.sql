-- How long each turn of the queue may take; null where it has no limit.
alter table rooms
  add column turn_limit_minutes smallint check (turn_limit_minutes between 1 and 30),
  add column turn_limit_mutes boolean not null default false;
