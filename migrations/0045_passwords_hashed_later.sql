-- Null from an import until a job has hashed the password: the encrypted copy decides a sign-in meanwhile.
alter table room_users alter column password_hash drop not null;
create index room_users_unhashed on room_users (id) where password_hash is null;
