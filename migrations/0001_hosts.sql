-- A master manages hosts. The *_key columns hold the form in which names are compared: lower case, Unicode NFKC.
create table masters (
  id            uuid primary key default gen_random_uuid(),
  email         text not null,
  email_key     text not null unique,
  full_name     text,
  password_hash text not null,
  created_at    timestamptz not null default now()
);

-- A host owns one room. The row stays for 30 days after deletion, so names are unique among the others only.
create table hosts (
  id                        uuid primary key default gen_random_uuid(),
  numerical_id              integer generated always as identity unique,
  username                  text not null,
  username_key              text not null,
  email                     text not null,
  email_key                 text not null,
  mobile                    text,
  full_name                 text,
  password_hash             text not null,
  is_active                 boolean not null default true,       -- the room in the phone app, never the console
  recording_enabled         boolean not null default true,
  storage_limit_gb          double precision not null default 5,
  storage_used_bytes        double precision not null default 0, -- what the archive holds
  subscription_type         integer,                             -- months last bought
  subscription_start_date   timestamptz,
  subscription_end_date     timestamptz,
  subscription_cancelled_at timestamptz,                         -- the status itself is derived at reading
  login_time                timestamptz,                         -- of the console
  last_login_ip             text,
  device_id                 text,                                -- the host's own phone, bound at its first login
  device_secret_hash        text,                                -- as for room_users
  device_secret_required    boolean not null default false,
  device_model              text,
  platform                  text,
  app_version               text,
  ip_address                text,                                -- where that phone signed in from
  last_seen                 timestamptz,
  created_at                timestamptz not null default now(),
  updated_at                timestamptz not null default now(),
  deleted_at                timestamptz,
  purge_started_at          timestamptz                          -- set once its data is being removed: no way back
);

create unique index hosts_username_key on hosts (username_key) where deleted_at is null;
create unique index hosts_email_key on hosts (email_key) where deleted_at is null;
create index hosts_deleted on hosts (deleted_at) where deleted_at is not null;

-- The host's room users see these texts in their app. The password is the one by which the host's own phone signs in.
create table app_info (
  host_id         uuid primary key references hosts (id) on delete cascade,
  user_title      text,
  helpline        text,
  message         text,
  allow_recording boolean not null default true,
  has_public_card boolean not null default true, -- strangers who know the Host ID see name, title and logo
  logo_url        text,
  password_hash   text
);

-- Every change of a subscription has a row: who, when, what it was and what it became.
create table subscription_changes (
  id      uuid primary key default gen_random_uuid(),
  host_id uuid not null references hosts (id) on delete cascade,
  at      timestamptz not null default now(),
  action  text not null,
  months  integer,
  by_id   uuid not null,
  by_name text not null,
  before  jsonb not null,
  after   jsonb not null
);

create index subscription_changes_host on subscription_changes (host_id, at);
