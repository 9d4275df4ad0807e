-- Names this installation where it shares something with others, such as a Redis.
create table installation (
  is_only_row boolean primary key default true check (is_only_row),
  id          uuid not null default gen_random_uuid()
);
insert into installation default values;
