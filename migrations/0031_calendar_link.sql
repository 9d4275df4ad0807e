-- The link to which calendar programs subscribe for a room's planned meetings. Its token is not stored.
alter table rooms
  add column calendar_token_hash text unique,
  add column calendar_link_made_at timestamptz;
