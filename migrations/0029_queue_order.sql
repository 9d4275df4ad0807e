-- Whose turn it is next in the queue of raised hands.
alter table rooms
  add column queue_order text not null default 'first_come'
    check (queue_order in ('first_come', 'least_spoken', 'fewest_turns'));
