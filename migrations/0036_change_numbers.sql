-- Counts the committed changes of what a live room holds, so that each server sees which of them it has not applied.
alter table rooms add column change_number integer not null default 0;
