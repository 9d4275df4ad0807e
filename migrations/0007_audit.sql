-- What was done, by whom, to whom, from where. Rows are written and never changed.
create table audit (
  id         uuid primary key default gen_random_uuid(),
  at         timestamptz not null default now(),
  actor_role text not null,
  actor_id   text,
  host_id    uuid,                    -- whose tenant it concerns; null for the installation's own
  action     text not null,
  target     text,
  ip         text,
  before     jsonb,
  after      jsonb
);

create index audit_host on audit (host_id, at desc);
