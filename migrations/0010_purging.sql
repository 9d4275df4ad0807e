-- Set when the removal of a deleted host's data has begun: from then on it is finished, and cannot be restored.
alter table hosts add column purging_at timestamptz;
create index hosts_deleted on hosts (deleted_at) where deleted_at is not null;

-- What the jobs look for.
create index sessions_expiring on sessions (expires_at) where ended_at is null;
create index sessions_idle on sessions (last_active_at) where ended_at is null and role <> 'phone';
create index sessions_ended on sessions (ended_at) where ended_at is not null;
create index oauth_results_expiring on oauth_results (expires_at);
