-- Names the SECRET_KEY, and says nothing of it. Null until npm run rotate-key or a restore has put the database under a key.
alter table installation add column key_id text;
