-- Since when a user has had the present phone; null without one, and where it was bound before this was kept.
alter table room_users add column device_bound_at timestamptz;
