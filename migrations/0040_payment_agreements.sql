-- One row for each thing at a payment provider, with the date of its next reading; webhook events are hints of one reading.
alter table checkouts add column state text not null default 'pending',
  add column as_of timestamptz, add column due_at timestamptz,
  add column failures integer not null default 0, add column failing_since timestamptz,
  add column end_wanted_at timestamptz, add column end_confirmed_at timestamptz;
alter table checkouts alter column psychologist_id drop not null,
  drop constraint checkouts_psychologist_id_fkey, drop constraint checkouts_email_while_open;
alter table checkouts add constraint checkouts_psychologist_id_fkey
  foreign key (psychologist_id) references psychologist_profiles (id) on delete set null;
update checkouts set state = case when status = 'failed' then 'failed' when closed_at is not null then 'cancelled'
    when payment_pending then 'paying' else 'pending' end,
  -- With this parameter MercadoPago's page does not exist.
  pay_url = regexp_replace(pay_url, '([?&])activation=true(&|$)', '\1');

-- Every membership has its checkout.
alter table subscriptions add column checkout_id uuid references checkouts (id);
insert into checkouts (psychologist_id, provider, method, external_id, plan_type, amount, currency, created_at)
  select psychologist_id, provider, case when currency = 'ARS' then 'mercadopago' else 'paypal' end,
    external_subscription_id, plan_type, amount, currency, created_at
  from subscriptions on conflict do nothing;
update subscriptions set checkout_id = checkouts.id, next_billing_date = coalesce(grace_from, unreadable_from, next_billing_date)
  from checkouts where checkouts.provider = subscriptions.provider and external_id = external_subscription_id;
update checkouts set state = provider_state, as_of = provider_as_of, read_at = subscriptions.read_at,
    failing_since = read_failed_at, end_wanted_at = cancel_requested_at, end_confirmed_at = cancel_confirmed_at
  from subscriptions where checkout_id = checkouts.id;

-- Checkouts of deleted accounts that may still be approved.
insert into checkouts (provider, method, external_id, plan_type, amount, currency, created_at, end_wanted_at)
  select provider, provider, external_id, 'monthly', 1, case provider when 'paypal' then 'USD' else 'ARS' end, created_at, created_at
  from abandoned_checkouts on conflict do nothing;
drop table abandoned_checkouts;
drop table test_checkouts;

update checkouts set due_at = now() where provider <> 'test' and external_id is not null;
alter table checkouts drop column status, drop column settled_at, drop column payment_pending, drop column closed_at;
alter table checkouts add constraint checkouts_state_check check (state in
  ('pending', 'paying', 'active', 'suspended', 'cancelled', 'expired', 'failed', 'gone'));
create index checkouts_due_idx on checkouts (provider, due_at) where due_at is not null;

drop index subscriptions_due_idx, subscriptions_read_idx;
alter table subscriptions rename column cancel_closed_at to end_closed_at;
alter table subscriptions drop column provider_state, drop column provider_as_of, drop column read_at,
  drop column grace_from, drop column unreadable_from, drop column read_failures, drop column read_failed_at,
  drop column cancel_requested_at, drop column cancel_tries, drop column cancel_tried_at, drop column cancel_confirmed_at,
  alter column checkout_id set not null,
  add constraint subscriptions_checkout_key unique (checkout_id);

drop table webhook_events;
create table webhook_events (
  provider text not null check (provider in ('paypal', 'mercadopago')),
  event_id text not null,
  resource_type text not null,
  resource_id text not null,
  -- Null until it is found.
  checkout_id uuid references checkouts (id) on delete cascade,
  received_at timestamptz not null,
  done_at timestamptz,
  attempts integer not null default 0,
  primary key (provider, event_id)
);
create index webhook_events_open_idx on webhook_events (provider, received_at) where done_at is null;
create index webhook_events_checkout_idx on webhook_events (checkout_id);

alter table payment_problems drop constraint payment_problems_kind_check;
alter table payment_problems add constraint payment_problems_kind_check
  check (kind in ('mismatch', 'unmatched', 'paid_twice', 'partial_refund', 'earlier_refund', 'dispute', 'chargeback',
    'reversal', 'paid_after_end', 'unreadable', 'not_cancelled', 'unreachable'));
create index payment_problems_agreement_idx on payment_problems (provider, external_subscription_id) where settled_at is null;
