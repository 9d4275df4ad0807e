-- A link that shows one meeting's report to anyone who has it, until it ends. Its token is not stored. The row is
-- deleted when the link is ended.
create table report_links (
  id           uuid primary key default gen_random_uuid(),
  room_id      uuid not null,
  meeting_uuid text not null,
  token_hash   text not null unique,
  with_note    boolean not null,
  maker_id     uuid not null, -- the host or an assistant, who may be gone
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  foreign key (room_id, meeting_uuid) references sittings (room_id, meeting_uuid) on delete cascade
);

create index report_links_meeting on report_links (room_id, meeting_uuid);
create index report_links_age on report_links (expires_at);
