-- A link that its host has made for a user: it signs the user's phone in, once. The row goes when it is used or void.
create table sign_in_links (
  room_user_id uuid primary key references room_users (id) on delete cascade,
  token_hash   text not null unique,
  expires_at   timestamptz not null
);
