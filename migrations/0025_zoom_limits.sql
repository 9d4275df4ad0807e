-- How often a host's meeting was made or changed on a day in UTC: Zoom allows a hundred.
alter table zoom_links
  add column meeting_writes integer not null default 0,
  add column meeting_writes_day text;
