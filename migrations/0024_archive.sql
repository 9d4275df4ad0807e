-- The archive: our own copy of a recording. Its file grows where it will stay; archived_path is set once it is whole.
alter table recordings
  add column archived_bytes double precision,
  add column archive_began_at timestamptz,   -- since then there may be a file, or a part of one
  add column archive_failures integer not null default 0,
  add column archive_try_at timestamptz,     -- not before this
  add column archive_lease text,             -- the process that copies it now
  add column archive_lease_until timestamptz; -- by the database's clock

update recordings set archived_bytes = coalesce(file_size, 0), archive_began_at = now() where archived_path is not null;

create index recordings_to_archive on recordings (room_id, started_at desc)
  where status = 'completed' and archived_path is null and trashed_at is null and not gone_at_zoom;
create index recordings_trashed on recordings (trashed_at) where trashed_at is not null;
create index recordings_begun on recordings (archive_began_at) where archive_began_at is not null and archived_path is null;
