-- How long a meeting has been running and recorded, as its host sees it.
alter table sittings
  add column started_at timestamptz,                  -- by Zoom; null where its start was never reported
  add column recording_since timestamptz,             -- of the stretch that is being recorded; null while none is
  add column recorded_ms integer not null default 0;  -- of the recording's earlier stretches

update sittings set started_at = began_at where began_at > '2020-01-01';
update sittings set recording_since = recording_told_at where recording = 'recording';

-- When the host last got the link that starts the meeting as its host: who starts it by that is in it.
alter table rooms add column start_asked_at timestamptz;
