-- The Zoom account that a host has connected. Zoom's ids identify it, since e-mails may change.
create table zoom_links (
  host_id                  uuid primary key references hosts (id) on delete cascade,
  zoom_user_id             text not null,
  zoom_account_id          text not null,
  email                    text not null,
  pmi                      text,
  scopes                   text not null default '',
  access_token_ciphertext  text not null,
  refresh_token_ciphertext text not null,
  access_expires_at        timestamptz not null,
  refresh_lease            text,                               -- the process that is refreshing the tokens now
  refresh_lease_until      timestamptz,                        -- by the database's clock
  reconnect_needed         boolean not null default false,
  warnings                 jsonb not null default '[]',
  created_at               timestamptz not null default now(),
  updated_at               timestamptz not null default now(),
  connected_at             timestamptz not null default now(), -- the last consent
  storage_reported_at      timestamptz,                        -- when Zoom last reported how full its storage is
  recordings_synced_at     timestamptz,
  next_check_at            timestamptz not null default now(), -- when the daily check is due
  meeting_writes           integer not null default 0,         -- how often the meeting was made or changed on that day
  meeting_writes_day       text                                -- in UTC; Zoom allows a hundred a day
);

create index zoom_links_account on zoom_links (zoom_account_id, zoom_user_id);

-- One attempt to connect: a master begins it, Zoom knows it by its state, the callback spends it.
create table oauth_states (
  state_hash          text primary key,
  master_id           uuid not null references masters (id) on delete cascade,
  email               text not null,
  host_id             uuid references hosts (id) on delete cascade,
  return_url          text not null,
  verifier_ciphertext text not null,
  expires_at          timestamptz not null
);

-- The result of a callback: claimed once, by the master who began it, for the e-mail that was asked for. Where a host
-- was named, the callback has linked it already, and the tokens here are empty, as they are once claimed.
create table oauth_results (
  id                       text primary key, -- 256 random bits: it travels in addresses and between windows
  master_id                uuid not null references masters (id) on delete cascade,
  host_id                  uuid references hosts (id) on delete cascade,
  email                    text not null,
  email_key                text not null,
  zoom_user_id             text not null,
  zoom_account_id          text not null,
  pmi                      text,
  display_name             text,
  scopes                   text not null default '',
  access_token_ciphertext  text not null,
  refresh_token_ciphertext text not null,
  access_expires_at        timestamptz not null,
  warnings                 jsonb not null default '[]',
  claimed_at               timestamptz,
  expires_at               timestamptz not null
);

create index oauth_results_expiring on oauth_results (expires_at);

-- Zoom's webhooks: stored before Zoom is answered, processed once afterwards, and deleted after a week.
create table zoom_events (
  body_hash       text primary key,                             -- Zoom repeats an event in the very same bytes
  event           text not null,
  reported_at     timestamptz not null,                         -- the event's own time: the latest decides
  zoom_account_id text,
  zoom_user_id    text,
  host_id         uuid references hosts (id) on delete cascade, -- the host it concerned, once that is known
  body_ciphertext text,                                         -- null once it has turned out to concern nobody here
  received_at     timestamptz not null,
  attempts        integer not null default 0,
  next_attempt_at timestamptz not null,                         -- not before this
  lease           text,                                         -- the process that works on it now
  lease_until     timestamptz,                                  -- by the database's clock
  processed_at    timestamptz,
  failure         text                                          -- why it was given up
);

create index zoom_events_waiting on zoom_events (reported_at) where processed_at is null;
create index zoom_events_age on zoom_events (received_at);
create index zoom_events_owner on zoom_events (zoom_account_id, zoom_user_id);

-- Zoom users who removed the app from their account: what is stored of that account goes by the time that Zoom sets.
create table zoom_purges (
  host_id         uuid not null references hosts (id) on delete cascade,
  zoom_account_id text not null,
  zoom_user_id    text not null,
  email           text not null,
  deauthorized_at timestamptz not null,
  due_at          timestamptz not null,
  primary key (host_id, zoom_account_id, zoom_user_id)
);

create index zoom_purges_due on zoom_purges (due_at);
