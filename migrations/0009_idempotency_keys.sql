-- The answer to a call that named itself by an Idempotency-Key, so that its repeat has no second effect. One
-- actor has a limited number of rows.
create table idempotency_keys (
  scope               text not null,                  -- who called what
  actor               text not null generated always as (split_part(scope, ' ', 1)) stored,
  key                 text not null,
  body_hash           text not null,
  claim               text not null,                  -- which of the calls under this key may have an effect
  has_effect          boolean not null default false, -- it is, or may be, carried out: never again
  status              integer,                        -- null while the first call is under way
  response_ciphertext text,
  created_at          timestamptz not null default now(),
  primary key (scope, key)
);

create index idempotency_keys_age on idempotency_keys (created_at);
create index idempotency_keys_actor on idempotency_keys (actor, created_at desc);
