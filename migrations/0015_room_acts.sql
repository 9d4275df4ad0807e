-- The last act on a room that changed who is muted, and the last one by another person than that act's: each with its
-- change number, so that an act can be refused if somebody else has acted since what its person saw.
alter table rooms add column last_act jsonb;
alter table rooms add column other_act jsonb;
