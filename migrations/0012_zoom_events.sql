-- What Zoom has told us: kept before Zoom is answered, worked on once afterwards, and forgotten after a week.
create table zoom_events (
  body_hash       text primary key,       -- Zoom repeats an event in the very same bytes
  event           text not null,
  told_at         timestamptz not null,   -- the event's own time, which decides between two of the same thing
  zoom_account_id text,
  zoom_user_id    text,
  host_id         uuid references hosts (id) on delete cascade, -- whom it concerned, once that is known
  body_ciphertext text,                   -- null once it has turned out to concern nobody here
  received_at     timestamptz not null,
  attempts        integer not null default 0,
  try_at          timestamptz not null,
  lease           text,                   -- the process that works on it now
  lease_until     timestamptz,            -- by the database's clock
  done_at         timestamptz,
  failure         text                    -- why it came to nothing
);

create index zoom_events_waiting on zoom_events (told_at) where done_at is null;
create index zoom_events_age on zoom_events (received_at);
create index zoom_events_owner on zoom_events (zoom_account_id, zoom_user_id);

-- One sitting of a room's meeting, from its start to its end, as far as Zoom has told of it. At most one of a room is live.
create table sittings (
  room_id           uuid not null references rooms (id) on delete cascade,
  meeting_uuid      text not null,
  meeting_id        text not null,
  began_at          timestamptz not null,
  is_live           boolean not null,
  live_told_at      timestamptz not null,
  recording         text not null default 'none' check (recording in ('none', 'recording', 'paused')),
  recording_told_at timestamptz,
  looked_at         timestamptz,          -- when we last asked Zoom whether it still runs
  primary key (room_id, meeting_uuid)
);

create index sittings_live on sittings (room_id) where is_live;

-- Who joined a sitting, and whether they left: a row for each time that somebody joined.
create table sitting_people (
  room_id      uuid not null,
  meeting_uuid text not null,
  participant  text not null,             -- Zoom's id of this joining
  room_user_id uuid not null,             -- or the host's id, for the host's own phone
  is_in        boolean not null,
  told_at      timestamptz not null,
  primary key (room_id, meeting_uuid, participant),
  foreign key (room_id, meeting_uuid) references sittings (room_id, meeting_uuid) on delete cascade
);

create index sitting_people_user on sitting_people (room_id, room_user_id);

-- The last that Zoom told of a sitting's recordings, apart from the index, since it may come before they do.
create table recording_marks (
  zoom_account_id text not null,
  meeting_uuid    text not null,
  zoom_file_id    text not null,          -- empty for all files of the sitting
  fact            text not null check (fact in ('place', 'topic')),
  value           text not null,          -- of a place: kept, trashed or deleted
  told_at         timestamptz not null,
  host_id         uuid references hosts (id) on delete cascade, -- null where Zoom did not say whose they are
  primary key (zoom_account_id, meeting_uuid, zoom_file_id, fact)
);

create index recording_marks_age on recording_marks (told_at);

-- Whose recording it is at Zoom: a host may connect another account, and only one of them may ask to be forgotten.
alter table recordings
  add column zoom_account_id text,
  add column zoom_user_id text,
  add column gone_told_at timestamptz;    -- when Zoom said that it is gone; null where its list merely lacked it

update recordings set zoom_account_id = link.zoom_account_id, zoom_user_id = link.zoom_user_id
from rooms join zoom_links as link on link.host_id = rooms.host_id
where rooms.id = recordings.room_id;

create index recordings_sitting on recordings (meeting_uuid);

alter table zoom_links
  add column connected_at timestamptz not null default now(),         -- the last consent
  add column storage_told_at timestamptz,                             -- how full Zoom's storage is
  add column recordings_synced_at timestamptz,
  add column look_at timestamptz not null default now();              -- when the daily look is due

update zoom_links set connected_at = created_at;

-- Zoom users who took the app away from themselves: what we hold of their account goes by the time that Zoom sets.
create table zoom_purges (
  host_id         uuid not null references hosts (id) on delete cascade,
  zoom_account_id text not null,
  zoom_user_id    text not null,
  email           text not null,
  deauthorized_at timestamptz not null,
  due_at          timestamptz not null,
  primary key (host_id, zoom_account_id, zoom_user_id)
);

create index zoom_purges_due on zoom_purges (due_at);
