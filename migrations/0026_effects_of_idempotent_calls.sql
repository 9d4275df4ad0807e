-- Whether a call had its effect is written in the transaction of that effect. Those from before hash bodies without a
-- secret, and bodies hold passwords.
delete from idempotency_keys;

alter table idempotency_keys
  add column claim      text not null,                   -- which of the calls under this key may have an effect
  add column has_effect boolean not null default false;  -- it is, or may be, carried out: never again
