-- A backup that a master has asked for, and that no process has begun yet.
alter table backup_schedule add column asked_at timestamptz;
