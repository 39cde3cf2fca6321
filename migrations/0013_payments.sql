-- Payments at real providers: last readings, notifications, and problems for the administrator.

-- The checkout exists before the provider's id: its own id is the reference for the provider.
alter table checkout_attempts
  alter column external_id drop not null,
  drop constraint checkout_attempts_status_check,
  add constraint checkout_attempts_status_check check (status in ('open', 'paid', 'failed', 'expired', 'mismatch')),
  -- URL of the provider's payment page.
  add column pay_url text,
  -- Email of the paying MercadoPago account; stored only while the checkout is open.
  add column payer_email text,
  add column read_at timestamptz,
  add constraint checkout_attempts_email_while_open check (payer_email is null or status = 'open');

alter table test_checkouts add column decided_at timestamptz;

alter table subscriptions
  -- The provider's last state, its time by the provider's clock, and the time of our reading.
  add column provider_state text not null default 'active'
    check (provider_state in ('pending', 'active', 'suspended', 'cancelled', 'expired', 'failed')),
  add column provider_as_of timestamptz,
  add column read_at timestamptz,
  -- The provider's next date, stored because some providers delete it after the end of the membership.
  add column provider_next_date timestamptz,
  -- Date whose late renewal was extended. Each date is extended once.
  add column extended_from timestamptz,
  -- Provisional Gold until the first payment, given once.
  add column provisional_until timestamptz,
  add column ended_by text check (ended_by in ('person', 'provider', 'refund', 'replaced', 'paid_twice')),
  -- Cancellation at the provider: requested, tried, confirmed.
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
  -- Null if a part was refunded and the provider does not return the amount.
  add column refunded_amount integer default 0,
  add column dispute text check (dispute in ('open', 'won', 'lost')),
  add column external_dispute_id text,
  add column paid_at timestamptz,
  -- Time of this state by the provider's clock.
  add column as_of timestamptz,
  add constraint payment_transactions_refunded_within check (refunded_amount between 0 and amount),
  add constraint payment_transactions_dispute_has_an_id check ((dispute is null) = (external_dispute_id is null));
update payment_transactions set paid_at = created_at;
alter table payment_transactions alter column paid_at set default now(), alter column paid_at set not null;

-- Notifications, each once: the id of their subject, never their content. The consequences are read from the provider.
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

-- Time until which the provider's own list of its notifications was read.
create table payment_sweeps (
  provider text primary key check (provider in ('paypal', 'mercadopago')),
  events_read_until timestamptz not null
);

-- Problems for the administrator. Gold does not depend on these rows.
create table payment_problems (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in
    ('mismatch', 'unmatched', 'paid_twice', 'partial_refund', 'earlier_refund', 'dispute', 'reversal', 'paid_after_end')),
  provider text not null check (provider in ('paypal', 'mercadopago', 'test')),
  -- The provider's id of a subscription, a payment, or the subject of a notification.
  external_id text not null,
  reason text,
  psychologist_id uuid references psychologist_profiles (id) on delete set null,
  subscription_id uuid references subscriptions (id) on delete set null,
  created_at timestamptz(3) not null,
  -- The problem ended by itself, such as a decided dispute.
  settled_at timestamptz(3),
  handled_at timestamptz(3),
  constraint payment_problems_subject_key unique (kind, provider, external_id)
);
create index payment_problems_open_idx on payment_problems (created_at) where settled_at is null and handled_at is null;
create index payment_problems_psychologist_idx on payment_problems (psychologist_id);
create index payment_problems_subscription_idx on payment_problems (subscription_id);
