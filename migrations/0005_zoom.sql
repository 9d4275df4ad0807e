-- The Zoom account that a host has connected. Tokens are ciphertexts; Zoom's ids tell whose it is, e-mails may change.
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
  refresh_lease            text,                   -- the process that is refreshing the tokens now
  refresh_lease_until      timestamptz,            -- by the database's clock
  reconnect_needed         boolean not null default false,
  warnings                 jsonb not null default '[]',
  created_at               timestamptz not null default now(),
  updated_at               timestamptz not null default now()
);

create index zoom_links_account on zoom_links (zoom_account_id, zoom_user_id);

-- One try at connecting: begun by a master, known to Zoom by its state, spent by the callback.
create table oauth_states (
  state_hash          text primary key,
  master_id           uuid not null references masters (id) on delete cascade,
  email               text not null,
  host_id             uuid references hosts (id) on delete cascade,
  return_url          text not null,
  verifier_ciphertext text not null,
  expires_at          timestamptz not null
);

-- What the callback brought: claimed once, by the master who began it, for the e-mail that was asked for. Where a host
-- was named, the callback has linked it already, and the tokens here are empty, as they are once claimed.
create table oauth_results (
  id                       text primary key,       -- 256 random bits: it travels in addresses and between windows
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
