-- Second factors of masters, hosts and assistants. Each row has exactly one of the three accounts.
create table totp_secrets (
  id                uuid primary key default gen_random_uuid(),
  master_id         uuid unique references masters (id) on delete cascade,
  host_id           uuid unique references hosts (id) on delete cascade,
  assistant_id      uuid unique references assistants (id) on delete cascade,
  secret_ciphertext text not null,
  created_at        timestamptz not null,
  confirmed_at      timestamptz,                 -- null until a first code has shown that the app has the secret
  used_steps        integer[] not null default '{}', -- the latest steps of 30 s whose code was accepted: each is, once
  check (num_nonnulls(master_id, host_id, assistant_id) = 1)
);

create table passkeys (
  id            uuid primary key default gen_random_uuid(),
  master_id     uuid references masters (id) on delete cascade,
  host_id       uuid references hosts (id) on delete cascade,
  assistant_id  uuid references assistants (id) on delete cascade,
  name          text not null,
  credential_id text not null unique,            -- base64url, as browsers name it
  public_key    text not null,                   -- base64url, COSE
  counter       bigint not null,
  transports    text[] not null default '{}',
  rp_id         text not null,                   -- the name of the site where it was made, the only one where it works
  created_at    timestamptz not null,
  last_used_at  timestamptz,
  check (num_nonnulls(master_id, host_id, assistant_id) = 1)
);
create index passkeys_master on passkeys (master_id) where master_id is not null;
create index passkeys_host on passkeys (host_id) where host_id is not null;
create index passkeys_assistant on passkeys (assistant_id) where assistant_id is not null;

-- A used code's row is deleted.
create table recovery_codes (
  id           uuid primary key default gen_random_uuid(),
  master_id    uuid references masters (id) on delete cascade,
  host_id      uuid references hosts (id) on delete cascade,
  assistant_id uuid references assistants (id) on delete cascade,
  prefix       text not null,                    -- the first two characters, which select the row
  hash         text not null,                    -- argon2id of the whole code
  check (num_nonnulls(master_id, host_id, assistant_id) = 1),
  unique (master_id, prefix),
  unique (host_id, prefix),
  unique (assistant_id, prefix)
);

-- A sign-in that has passed its password and waits for the second factor. The caller has the token, not a session.
create table sign_in_challenges (
  token_hash         text primary key,
  master_id          uuid references masters (id) on delete cascade,
  host_id            uuid references hosts (id) on delete cascade,
  assistant_id       uuid references assistants (id) on delete cascade,
  password_hash      text not null,              -- another password voids it
  rp_id              text not null,
  webauthn_challenge text not null,
  tries_left         integer not null,
  created_at         timestamptz not null,
  expires_at         timestamptz not null,
  check (num_nonnulls(master_id, host_id, assistant_id) = 1)
);
create index sign_in_challenges_master on sign_in_challenges (master_id) where master_id is not null;
create index sign_in_challenges_host on sign_in_challenges (host_id) where host_id is not null;
create index sign_in_challenges_assistant on sign_in_challenges (assistant_id) where assistant_id is not null;
create index sign_in_challenges_expiry on sign_in_challenges (expires_at);

-- Wrong codes, and those being checked, which count as wrong until they turn out to be right.
create table second_factor_failures (
  id           uuid primary key default gen_random_uuid(),
  master_id    uuid references masters (id) on delete cascade,
  host_id      uuid references hosts (id) on delete cascade,
  assistant_id uuid references assistants (id) on delete cascade,
  at           timestamptz not null,
  check (num_nonnulls(master_id, host_id, assistant_id) = 1)
);
create index second_factor_failures_master on second_factor_failures (master_id, at) where master_id is not null;
create index second_factor_failures_host on second_factor_failures (host_id, at) where host_id is not null;
create index second_factor_failures_assistant on second_factor_failures (assistant_id, at)
  where assistant_id is not null;
create index second_factor_failures_at on second_factor_failures (at);

-- What a browser has to sign in a signed-in session: to add a passkey, or to confirm an act with one.
create table passkey_challenges (
  session_id uuid not null references sessions (id) on delete cascade,
  purpose    text not null check (purpose in ('add', 'confirm')),
  challenge  text not null,
  rp_id      text not null,
  expires_at timestamptz not null,
  primary key (session_id, purpose)
);

-- The rules of masters for all accounts. Without a row nobody must have a second factor.
create table security_settings (
  is_only_row           boolean primary key default true check (is_only_row),
  require_second_factor text not null check (require_second_factor in ('nobody', 'masters', 'masters_and_hosts'))
);
