-- What was answered to a call that named itself by an Idempotency-Key, so that its repeat has no second effect.
create table idempotency_keys (
  scope             text not null,                      -- who called what
  key               text not null,
  body_hash         text not null,
  status            integer,                            -- null while the first call is under way
  answer_ciphertext text,
  created_at        timestamptz not null default now(),
  primary key (scope, key)
);

create index idempotency_keys_age on idempotency_keys (created_at);
