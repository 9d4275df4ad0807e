-- The index of each room's cloud recordings: a row is one file of one sitting (meeting_uuid) of the room's meeting.
-- The archive is Parley's own copy: its file grows where it will stay, and archived_path is set once it is whole.
create table recordings (
  id                      uuid primary key default gen_random_uuid(),
  room_id                 uuid not null references rooms (id) on delete cascade,
  meeting_id              text not null,
  meeting_uuid            text not null,
  zoom_file_id            text not null,
  topic                   text not null,
  started_at              timestamptz not null,
  duration                integer not null default 0,          -- minutes
  status                  text not null,
  file_type               text not null,
  file_size               double precision,
  recording_type          text,
  total_size              double precision not null default 0, -- of the sitting
  archived_path           text,
  archived_bytes          double precision,
  archive_started_at      timestamptz,                         -- since then there may be a file, or a part of one
  archive_failures        integer not null default 0,
  archive_next_attempt_at timestamptz,                         -- not before this
  archive_lease           text,                                -- the process that copies it now
  archive_lease_until     timestamptz,                         -- by the database's clock
  gone_at_zoom            boolean not null default false,
  gone_reported_at        timestamptz,                         -- null where Zoom's list merely lacked it
  trashed_at              timestamptz,
  synced_at               timestamptz not null default now(),  -- when Zoom last had it like this
  zoom_account_id         text,                                -- a host may connect another account
  zoom_user_id            text,
  unique (room_id, meeting_uuid, zoom_file_id)
);

create index recordings_room on recordings (room_id, started_at desc);
create index recordings_sitting on recordings (meeting_uuid);
create index recordings_trashed on recordings (trashed_at) where trashed_at is not null;
create index recordings_archive_started on recordings (archive_started_at)
  where archive_started_at is not null and archived_path is null;
create index recordings_to_archive on recordings (room_id, started_at desc)
  where status = 'completed' and archived_path is null and trashed_at is null and not gone_at_zoom;

-- The last that Zoom reported of a sitting's recordings, apart from the index, since it may come before they do.
create table recording_marks (
  zoom_account_id text not null,
  meeting_uuid    text not null,
  zoom_file_id    text not null,                                -- empty for all files of the sitting
  property        text not null check (property in ('place', 'topic')),
  value           text not null,                                -- of a place: kept, trashed or deleted
  reported_at     timestamptz not null,
  host_id         uuid references hosts (id) on delete cascade, -- null where Zoom named no host
  primary key (zoom_account_id, meeting_uuid, zoom_file_id, property)
);

create index recording_marks_age on recording_marks (reported_at);
