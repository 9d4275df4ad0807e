-- A group of a room's users, such as the altos, with a colour. The names of one room differ in more than case.
create table user_groups (
  id         uuid primary key default gen_random_uuid(),
  room_id    uuid not null references rooms (id) on delete cascade,
  name       text not null,
  name_key   text not null,
  colour     text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (room_id, name_key)
);

-- The groups of a user stand in its row, since a live room holds both together: the transaction that deletes a group
-- takes it from its users.
alter table room_users
  add column group_ids uuid[] not null default '{}';
