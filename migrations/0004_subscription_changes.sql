-- Every change of a subscription: who, when, what it was and what it became.
create table subscription_changes (
  id        uuid primary key default gen_random_uuid(),
  host_id   uuid not null references hosts (id) on delete cascade,
  at        timestamptz not null default now(),
  action    text not null,
  months    integer,
  by_id     uuid not null,
  by_name   text not null,
  before    jsonb not null,
  after     jsonb not null
);

create index subscription_changes_host on subscription_changes (host_id, at);
