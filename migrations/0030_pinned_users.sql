-- A user whom Mute All leaves as it is, such as a teacher.
alter table room_users
  add column is_pinned boolean not null default false;

create index room_users_pinned on room_users (room_id) where is_pinned;
