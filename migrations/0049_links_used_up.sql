-- The hash of the one-time link that opened the session: its phone may repeat the call if the answer was lost.
alter table sessions add column link_hash text;
