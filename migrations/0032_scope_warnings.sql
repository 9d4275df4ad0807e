-- Which scopes are missing follows from those that were granted, so no warning of it is stored any more: the ones that
-- were may name scopes that Parley no longer needs.
update zoom_links set warnings = (
  select coalesce(jsonb_agg(warning), '[]') from jsonb_array_elements(warnings) as warning
  where warning ->> 'code' <> 'scopes_missing'
);

update oauth_results set warnings = (
  select coalesce(jsonb_agg(warning), '[]') from jsonb_array_elements(warnings) as warning
  where warning ->> 'code' <> 'scopes_missing'
);
