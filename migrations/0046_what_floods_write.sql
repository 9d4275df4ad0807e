-- How often the refused sign-in of a row of the audit came again within its minute, which that row cannot say itself.
create table refused_sign_ins (
  audit_id uuid primary key,
  key      text not null,        -- a keyed hash: which account, from which address, refused why
  minute   timestamptz not null,
  times    integer not null,
  unique (key, minute)
);
create index refused_sign_ins_age on refused_sign_ins (minute);

-- How many rows a day has written of them, since anybody can cause one.
create table refused_sign_in_days (
  day     date not null,         -- in UTC
  scope   text not null,         -- a host's id; 'none' where no host is concerned; 'all'
  written integer not null,
  primary key (day, scope)
);

-- Whose key it is, to keep only so many of one caller.
alter table idempotency_keys add column actor text not null generated always as (split_part(scope, ' ', 1)) stored;
create index idempotency_keys_actor on idempotency_keys (actor, created_at desc);
