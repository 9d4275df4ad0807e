-- The scheduled backups: which process makes one now, and when one was last begun. The folder with the backups says the rest.
create table backup_schedule (
  is_only_row  boolean primary key default true check (is_only_row),
  attempted_at timestamptz,
  lease        text,
  lease_until  timestamptz -- by the database's clock
);
