-- Mute All and Unmute All write one row, however many people a room has: a user's is_muted holds only while its round is
-- the room's; after the next Mute All or Unmute All the user is as the room's flag says, until it is muted by itself.
alter table rooms add column mute_round integer not null default 0;
alter table room_users add column mute_round integer not null default 0;
