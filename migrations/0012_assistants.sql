-- People who act for a host, each with their own password. A removed person's row stays, for the name in the audit.
create table assistants (
  id                  uuid primary key default gen_random_uuid(),
  host_id             uuid not null references hosts (id) on delete cascade,
  name                text not null,
  name_key            text not null,
  role                text not null check (role in ('manager', 'moderator')),
  password_hash       text,        -- null until the invitation is used
  password_changed_at timestamptz,
  login_time          timestamptz,
  created_at          timestamptz not null default now(),
  removed_at          timestamptz
);

create unique index assistants_name on assistants (host_id, name_key) where removed_at is null;

alter table sessions
  add column assistant_id uuid references assistants (id) on delete cascade,
  add column second_factor_at timestamptz, -- when its sign-in passed a second factor; null without one
  add column confirmed_at timestamptz;     -- when the owner last confirmed their identity in this session; null: never
alter table sessions drop constraint sessions_role_check;
alter table sessions add constraint sessions_role_check
  check (role in ('master', 'host', 'manager', 'moderator', 'phone'));
alter table sessions add constraint sessions_assistant_check
  check ((role in ('manager', 'moderator')) = (assistant_id is not null));
create index sessions_assistant on sessions (assistant_id) where ended_at is null and assistant_id is not null;
