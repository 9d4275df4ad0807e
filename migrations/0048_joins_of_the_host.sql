-- Zoom reports no join of the device that starts a meeting: only a device without one that leaves can have been that.
alter table sitting_people add column has_joined boolean not null default false; -- whether Zoom reported its join
