-- How often Zoom failed to do what Parley called it for, over all hosts: a row for each hour and kind.
create table zoom_errors (
  began_at timestamptz not null, -- the hour
  kind     text not null check (kind in ('unanswered', 'limited', 'refused', 'disconnected')),
  times    integer not null,
  primary key (began_at, kind)
);
