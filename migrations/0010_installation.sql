-- Identifies this installation where it shares something with others, such as a Redis.
create table installation (
  is_only_row boolean primary key default true check (is_only_row),
  id          uuid not null default gen_random_uuid()
);
insert into installation default values;

-- The last heartbeat of each node with phones online: the stays of one that was killed are closed at that time.
create table nodes (
  id                uuid primary key,
  last_heartbeat_at timestamptz not null
);
