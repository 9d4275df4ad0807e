-- Until when the room's users may hear this recording in the phone app; null where they may not.
alter table recordings add column shared_until timestamptz;

create index recordings_shared on recordings (room_id, shared_until) where shared_until is not null;
