-- Mails that wait to be sent, and those of the last day, by which the limits count. What a mail says, with its link, goes
-- once it is sent or dropped. A mail that holds an account link is not sent once that link is gone.
create table mails (
  id                 uuid primary key default gen_random_uuid(),
  kind               text not null,
  address            text not null,
  host_id            uuid references hosts (id) on delete cascade,
  master_id          uuid references masters (id) on delete cascade,
  link_id            uuid references account_links (id) on delete set null,
  content_ciphertext text,        -- null once it has ended
  attempts           integer not null default 0,
  created_at         timestamptz not null,
  next_attempt_at    timestamptz not null,
  lease              text,
  lease_until        timestamptz, -- by the database's clock
  failure            text,        -- of the last attempt, without a secret
  failed_at          timestamptz,
  ended_at           timestamptz, -- sent, or dropped if there is a failure
  check ((ended_at is null) = (content_ciphertext is not null))
);

create index mails_waiting on mails (next_attempt_at) where ended_at is null;
create index mails_by_address on mails (lower(address), kind, created_at);
create index mails_by_link on mails (link_id) where link_id is not null;
create index mails_by_host on mails (host_id) where host_id is not null;
create index mails_by_master on mails (master_id) where master_id is not null;

-- The occasion of which a host was last written to, such as the end date of its subscription: one mail for each.
create table host_mails (
  host_id  uuid not null references hosts (id) on delete cascade,
  kind     text not null,
  occasion text not null,
  primary key (host_id, kind)
);
