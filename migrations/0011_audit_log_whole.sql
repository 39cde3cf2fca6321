-- Row triggers do not run for truncate, so the log refuses truncate separately.
create function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only';
end $$;
create trigger audit_log_not_truncated before truncate on audit_log for each statement execute function refuse_truncate();
