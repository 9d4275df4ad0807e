-- A sitting is one run of a room's meeting, from its start to its end, as Zoom reported it. At most one of a room
-- is live.
create table sittings (
  room_id               uuid not null references rooms (id) on delete cascade,
  meeting_uuid          text not null,
  meeting_id            text not null,
  began_at              timestamptz not null,       -- what sittings are ordered by: the start, or an estimate of it
  is_live               boolean not null,
  live_reported_at      timestamptz not null,       -- the event that is_live comes from
  recording             text not null default 'none' check (recording in ('none', 'recording', 'paused')),
  recording_reported_at timestamptz,                -- the event that recording comes from
  started_at            timestamptz,                -- by Zoom; null where its start was never reported
  recording_since       timestamptz,                -- of the stretch that is being recorded; null while none is
  recorded_ms           integer not null default 0, -- of the recording's earlier stretches
  last_checked_at       timestamptz,                -- when Zoom was last asked whether it still runs
  primary key (room_id, meeting_uuid)
);

create index sittings_live on sittings (room_id) where is_live;

-- Who joined a sitting, and whether they left: each joining has a row.
create table sitting_people (
  room_id       uuid not null,
  meeting_uuid  text not null,
  participant   text not null, -- Zoom's id of this joining
  room_user_id  uuid not null, -- or the host's id, for the host's own phone
  is_present    boolean not null,
  -- Zoom reports no join of the device that starts a meeting: only a device without one that leaves can have been that.
  join_reported boolean not null default false,
  reported_at   timestamptz not null,
  primary key (room_id, meeting_uuid, participant),
  foreign key (room_id, meeting_uuid) references sittings (room_id, meeting_uuid) on delete cascade
);

create index sitting_people_user on sitting_people (room_id, room_user_id);
