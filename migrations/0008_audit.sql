-- What was done, by whom, to whom, from where. seq gives the newest-first order and the cursor of its pages.
create table audit (
  id         uuid primary key default gen_random_uuid(),
  seq        bigint generated always as identity unique,
  at         timestamptz not null default now(),
  actor_role text not null,
  actor_id   text,
  host_id    uuid, -- the host it concerns; null for the installation's own
  action     text not null,
  target     text,
  ip         text,
  before     jsonb,
  after      jsonb
);

create index audit_host_seq on audit (host_id, seq desc);
create index audit_actor on audit (actor_id, seq desc);
create index audit_action on audit (action, seq desc);
create index audit_at on audit (at);

-- A row of the audit is never changed, with two exceptions that name themselves for one transaction:
-- parley.purging_host: the host whose names and addresses are taken out of its rows; that it was done remains.
-- parley.audit_kept_from: rows older than this may go; 'infinity' lets tests empty the table.
create function refuse_audit_change() returns trigger language plpgsql as $$
declare
  kept_from timestamptz := nullif(current_setting('parley.audit_kept_from', true), '')::timestamptz;
begin
  if tg_op = 'TRUNCATE' then
    if kept_from = 'infinity' then return null; end if;
  elsif tg_op = 'DELETE' then
    if old.at < kept_from then return old; end if;
  elsif old.host_id::text = current_setting('parley.purging_host', true)
    and new.before is null and new.after is null and (new.ip is null or new.ip = old.ip)
    and to_jsonb(new) - array['before', 'after', 'ip'] = to_jsonb(old) - array['before', 'after', 'ip'] then
    return new;
  end if;
  raise exception 'Rows of the audit are never changed' using errcode = 'insufficient_privilege';
end
$$;

create trigger audit_is_kept before update or delete on audit for each row execute function refuse_audit_change();
create trigger audit_is_not_emptied before truncate on audit for each statement execute function refuse_audit_change();

-- How often the refused sign-in of a row of the audit came again within its minute, which that row cannot hold itself.
create table refused_sign_ins (
  audit_id uuid primary key,
  key      text not null, -- a keyed hash: which account, from which address, refused why
  minute   timestamptz not null,
  times    integer not null,
  unique (key, minute)
);

create index refused_sign_ins_age on refused_sign_ins (minute);

-- How many of these rows were written on a day, since anybody can cause one.
create table refused_sign_in_days (
  day     date not null, -- in UTC
  scope   text not null, -- a host's id; 'none' where no host is concerned; 'all'
  written integer not null,
  primary key (day, scope)
);
