-- A search for one user looks up the rows about it, instead of reading all of its host's.
create index audit_target on audit (target, seq desc) where target is not null;

-- The users that an act on many names. An index of arrays is exact: the lists themselves need not be read again.
create function audit_user_ids(before jsonb, after jsonb) returns text[] language sql immutable parallel safe as $$
  select array(
    select jsonb_array_elements_text(
      coalesce(jsonb_path_query_array(before, '$.users[*].id'), '[]')
        || coalesce(jsonb_path_query_array(after, '$.users[*].id'), '[]')
    )
  )
$$;

create index audit_users on audit using gin (audit_user_ids(before, after))
  where jsonb_exists(before, 'users') or jsonb_exists(after, 'users');
