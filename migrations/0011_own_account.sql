-- An account's owner changes its password and sees its sessions, each with the browser that signed in.
alter table hosts add column password_changed_at timestamptz; -- null: as it was made
alter table sessions add column user_agent text;              -- null for phones, and for sessions of before
alter table masters add column password_changed_at timestamptz;
