-- Renames checkouts, grace periods and cancellations to the names in the code.

alter table checkout_attempts rename to checkouts;
alter table checkouts rename column paying to payment_pending;
alter index checkout_attempts_open_idx rename to checkouts_open_idx;
alter index checkout_attempts_psychologist_idx rename to checkouts_psychologist_idx;

alter table subscriptions rename column extended_from to grace_from;
alter table subscriptions rename column cancel_wanted_at to cancel_requested_at;
alter table subscriptions
  rename constraint subscriptions_test_tells_nobody to subscriptions_test_has_no_provider_to_cancel_at;

-- In a loop, because newer versions of PostgreSQL also name not-null constraints.
do $$
declare
  old name;
begin
  for old in select conname from pg_constraint where conrelid = 'checkouts'::regclass and conname like 'checkout\_attempts\_%'
  loop
    execute format('alter table checkouts rename constraint %I to %I', old, replace(old, 'checkout_attempts_', 'checkouts_'));
  end loop;
end
$$;
