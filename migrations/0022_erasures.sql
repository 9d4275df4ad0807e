-- Users whose data a host had erased. The row lets an interrupted erasure go on, and finds what comes in late. It holds no name.
create table erasures (
  room_user_id uuid primary key, -- no reference: the user is gone
  room_id      uuid not null references rooms (id) on delete cascade,
  erased_at    timestamptz not null,
  finished_at  timestamptz -- null until the rows that named the user name it no longer
);
create index erasures_room on erasures (room_id);

-- Takes what an act on many users wrote of one of them, and leaves its id.
create function audit_without_user(state jsonb, user_id text) returns jsonb language sql immutable parallel safe as $$
  select case when state -> 'users' @> jsonb_build_array(jsonb_build_object('id', user_id)) then
    jsonb_set(state, '{users}', (
      select jsonb_agg(
        case when entry ->> 'id' = user_id then jsonb_build_object('id', user_id) else entry end order by position
      )
      from jsonb_array_elements(state -> 'users') with ordinality as entries (entry, position)
    ))
  else state end
$$;

-- A further exception that names itself for one transaction:
-- parley.erasing_user: the user whose names, devices and addresses are taken out; that it was done, and by whom, remains.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
declare
  kept_from timestamptz := nullif(current_setting('parley.audit_kept_from', true), '')::timestamptz;
  erased text := nullif(current_setting('parley.erasing_user', true), '');
begin
  if tg_op = 'TRUNCATE' then
    if kept_from = 'infinity' then return null; end if;
  elsif tg_op = 'DELETE' then
    if old.at < kept_from then return old; end if;
  elsif old.host_id::text = current_setting('parley.purging_host', true)
    and new.before is null and new.after is null and (new.ip is null or new.ip = old.ip)
    and to_jsonb(new) - array['before', 'after', 'ip'] = to_jsonb(old) - array['before', 'after', 'ip'] then
    return new;
  elsif erased is not null and old.action <> 'person_erased'
    and to_jsonb(new) - array['before', 'after', 'ip'] = to_jsonb(old) - array['before', 'after', 'ip']
    and (
      ((old.target = erased or old.actor_id = erased) and new.before is null and new.after is null and new.ip is null)
      or (
        new.ip is not distinct from old.ip
        and new.before is not distinct from audit_without_user(old.before, erased)
        and new.after is not distinct from audit_without_user(old.after, erased)
      )
    ) then
    return new;
  end if;
  raise exception 'Rows of the audit are never changed' using errcode = 'insufficient_privilege';
end
$$;
