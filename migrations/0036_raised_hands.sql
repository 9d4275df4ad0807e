-- The last raised hand of a user in a meeting. The row goes when the user is called or lowers it: what is left was not
-- called. It has no name: that is in the user's stays.
create table raised_hands (
  room_id      uuid not null,
  meeting_uuid text not null,
  room_user_id uuid not null, -- no reference: the user may be gone
  raised_at    timestamptz not null,
  ended_at     timestamptz,   -- when the user left or the meeting ended; null while the hand is up, or after a crash
  primary key (room_id, meeting_uuid, room_user_id),
  foreign key (room_id, meeting_uuid) references sittings (room_id, meeting_uuid) on delete cascade
);

create index raised_hands_user on raised_hands (room_user_id);
