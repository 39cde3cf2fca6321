-- Payments of real services: what was read of them and when, notifications, and what a person has to look at.

-- The attempt comes before the service's own id: its id is the reference that the service is given.
alter table checkout_attempts
  alter column external_id drop not null,
  drop constraint checkout_attempts_status_check,
  add constraint checkout_attempts_status_check check (status in ('open', 'paid', 'failed', 'expired', 'mismatch')),
  -- Where the service takes the payment.
  add column pay_url text,
  -- Of the account at MercadoPago that pays; only as long as the attempt is open.
  add column payer_email text,
  add column read_at timestamptz,
  add constraint checkout_attempts_email_while_open check (payer_email is null or status = 'open');

alter table test_checkouts add column decided_at timestamptz;

alter table subscriptions
  -- What the service said last, as of when by its own clock, and when we read it.
  add column provider_state text not null default 'active'
    check (provider_state in ('pending', 'active', 'suspended', 'cancelled', 'expired', 'failed')),
  add column provider_as_of timestamptz,
  add column read_at timestamptz,
  -- The service's own next date, kept because some forget it once the membership is over.
  add column provider_next_date timestamptz,
  -- The date whose late renewal was extended: each is, once.
  add column extended_from timestamptz,
  -- Gold on trust until the first payment, given once.
  add column provisional_until timestamptz,
  add column ended_by text check (ended_by in ('person', 'provider', 'refund', 'replaced', 'paid_twice')),
  -- What the service still has to be told: wanted, tried, confirmed.
  add column cancel_wanted_at timestamptz,
  add column cancel_tries integer not null default 0,
  add column cancel_tried_at timestamptz,
  add column cancel_confirmed_at timestamptz;
update subscriptions set ended_by = 'person' where status = 'cancelled';
alter table subscriptions
  add constraint subscriptions_cancelled_has_a_cause check ((status = 'cancelled') = (ended_by is not null)),
  add constraint subscriptions_test_tells_nobody check (provider <> 'test' or cancel_wanted_at is null);
create index subscriptions_cancel_waiting_idx on subscriptions (cancel_wanted_at)
  where cancel_wanted_at is not null and cancel_confirmed_at is null;
create index subscriptions_read_idx on subscriptions (read_at nulls first) where status = 'active' and provider <> 'test';

alter table payment_transactions
  add constraint payment_transactions_status_check
    check (status in ('pending', 'completed', 'failed', 'partially_refunded', 'refunded', 'reversed')),
  -- Null where only part was given back and the service does not say how much.
  add column refunded_amount integer default 0,
  add column dispute text check (dispute in ('open', 'won', 'lost')),
  add column external_dispute_id text,
  add column paid_at timestamptz,
  -- As of when the service says so, by its own clock.
  add column as_of timestamptz,
  add constraint payment_transactions_refunded_within check (refunded_amount between 0 and amount),
  add constraint payment_transactions_dispute_has_an_id check ((dispute is null) = (external_dispute_id is null));
update payment_transactions set paid_at = created_at;
alter table payment_transactions alter column paid_at set default now(), alter column paid_at set not null;

-- Notifications, each once: what it is about, never what it says. What follows is read from the service.
create table webhook_events (
  id uuid primary key default gen_random_uuid(),
  provider text not null check (provider in ('paypal', 'mercadopago')),
  event_id text not null,
  subject text not null check (subject in
    ('subscription', 'sale', 'reversal', 'dispute', 'payment', 'preapproval', 'invoice', 'order', 'chargeback')),
  subject_id text not null,
  status text not null default 'received' check (status in ('received', 'done', 'unmatched', 'given_up')),
  tries integer not null default 0,
  received_at timestamptz not null,
  tried_at timestamptz,
  constraint webhook_events_event_key unique (provider, event_id)
);
create index webhook_events_waiting_idx on webhook_events (received_at) where status in ('received', 'unmatched');
create index webhook_events_over_idx on webhook_events (received_at) where status in ('done', 'given_up');

-- Up to when the service's own list of its notifications was gone through.
create table payment_sweeps (
  provider text primary key check (provider in ('paypal', 'mercadopago')),
  events_read_until timestamptz not null
);

-- What a person has to look at. Gold does not depend on these rows.
create table payment_problems (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in
    ('mismatch', 'unmatched', 'paid_twice', 'partial_refund', 'earlier_refund', 'dispute', 'reversal', 'paid_after_end')),
  provider text not null check (provider in ('paypal', 'mercadopago', 'test')),
  -- The service's id of what it is about: a subscription, a payment, or what a notification named.
  external_id text not null,
  reason text,
  psychologist_id uuid references psychologist_profiles (id) on delete set null,
  subscription_id uuid references subscriptions (id) on delete set null,
  created_at timestamptz(3) not null,
  -- It went away by itself, such as a dispute that was decided.
  settled_at timestamptz(3),
  handled_at timestamptz(3),
  constraint payment_problems_subject_key unique (kind, provider, external_id)
);
create index payment_problems_open_idx on payment_problems (created_at) where settled_at is null and handled_at is null;
create index payment_problems_psychologist_idx on payment_problems (psychologist_id);
create index payment_problems_subscription_idx on payment_problems (subscription_id);
