-- The words that a host keeps with a meeting.
alter table sittings add column note text;
