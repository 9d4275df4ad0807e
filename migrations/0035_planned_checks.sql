-- When each planned meeting is checked next, 15 minutes before it begins, and how its last check ended. The job that
-- checks makes the row, and sets it again where the planned meeting has changed since.
create table planned_checks (
  planned_meeting_id uuid primary key references planned_meetings (id) on delete cascade,
  planned_at         timestamptz not null, -- updated_at of the planned meeting from which due_at follows
  due_at             timestamptz,          -- null if no further meeting comes
  starts_at          timestamptz,          -- of the meeting that was checked last
  checked_at         timestamptz,
  zoom_fault         text check (zoom_fault in ('unanswered', 'refused')),
  mailed_for         timestamptz,          -- starts_at of the last meeting of which the host was written to
  lease              text,
  lease_until        timestamptz           -- by the database's clock
);

create index planned_checks_due on planned_checks (due_at) where due_at is not null;
