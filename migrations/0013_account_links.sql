-- A link with which its holder sets an account's password once: an invitation, or a reset. The row is deleted when the
-- link is used or void.
create table account_links (
  id                    uuid primary key default gen_random_uuid(),
  purpose               text not null check (purpose in ('master_invite', 'master_reset', 'host_reset', 'assistant_invite')),
  token_hash            text not null unique,
  master_id             uuid references masters (id) on delete cascade,
  host_id               uuid references hosts (id) on delete cascade,
  assistant_id          uuid references assistants (id) on delete cascade,
  email                 text, -- of an invited master, who has no account yet
  email_key             text,
  full_name             text,
  maker_id              uuid references masters (id) on delete cascade, -- null: a host, or a command on the server
  removes_second_factor boolean not null default false,
  created_at            timestamptz not null,
  expires_at            timestamptz not null,
  check (num_nonnulls(master_id, host_id, assistant_id, email_key) = 1),
  check ((email is null) = (email_key is null)),
  unique (purpose, master_id),
  unique (purpose, host_id),
  unique (purpose, assistant_id),
  unique (purpose, email_key)
);

create index account_links_maker on account_links (maker_id) where maker_id is not null;

-- A removed master keeps its row, for its name in the audit. Its e-mail can be invited again.
alter table masters add column removed_at timestamptz;
alter table masters drop constraint masters_email_key_key;
create unique index masters_email_key on masters (email_key) where removed_at is null;
