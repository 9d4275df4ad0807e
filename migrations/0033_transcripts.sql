-- Zoom's transcripts of recordings: a row is one file of one sitting, which may be known before its recording.
create table transcripts (
  id              uuid primary key default gen_random_uuid(),
  room_id         uuid not null references rooms (id) on delete cascade,
  meeting_uuid    text not null,
  zoom_file_id    text not null,
  started_at      timestamptz not null,              -- when the sound began that it belongs to
  file_size       double precision,
  status          text not null default 'waiting' check (status in ('waiting', 'read', 'damaged', 'too_large')),
  skipped_at_ms   integer,                           -- the first place that could not be read
  found_by        tsvector not null default '',      -- every word in it
  read_failures   integer not null default 0,
  next_attempt_at timestamptz,
  lease           text,                              -- the process that reads it now
  lease_until     timestamptz,                       -- by the database's clock
  synced_at       timestamptz not null default now(), -- when Zoom last had it
  zoom_account_id text,
  zoom_user_id    text,
  unique (room_id, meeting_uuid, zoom_file_id)
);

create index transcripts_words on transcripts using gin (found_by);
create index transcripts_waiting on transcripts (room_id, started_at desc) where status = 'waiting';
create index transcripts_age on transcripts (synced_at);

-- A cue is a line of a transcript with its time. Its words are folded, so that case and accents do not matter.
create table transcript_cues (
  transcript_id uuid not null references transcripts (id) on delete cascade,
  cue_number    integer not null,
  start_ms      integer not null,
  end_ms        integer not null,
  speaker       text not null,                       -- empty where Zoom did not recognise who spoke
  words         text not null,
  found_by      tsvector not null,
  primary key (transcript_id, cue_number)
);
