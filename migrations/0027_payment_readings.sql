-- Failed readings of payment providers, and mismatches that end at the provider.

alter table subscriptions
  -- Date from which Gold lasts only because the provider could not be read (at most 14 days longer).
  add column unreadable_from timestamptz,
  -- Number of consecutive failed readings, and the time of the last one.
  add column read_failures integer not null default 0,
  add column read_failed_at timestamptz;

alter table subscriptions drop constraint subscriptions_ended_by_check;
alter table subscriptions add constraint subscriptions_ended_by_check
  check (ended_by in ('person', 'provider', 'refund', 'replaced', 'paid_twice', 'mismatch'));

alter table payment_problems drop constraint payment_problems_kind_check;
alter table payment_problems add constraint payment_problems_kind_check
  check (kind in ('mismatch', 'unmatched', 'paid_twice', 'partial_refund', 'earlier_refund', 'dispute', 'reversal',
    'paid_after_end', 'unreadable', 'not_cancelled'));

-- Time until which a provider requested a pause (Retry-After). For a provider that only requested a pause, no list was
-- read yet.
alter table payment_sweeps add column paused_until timestamptz;
alter table payment_sweeps alter column events_read_until drop not null;

-- Time at which an unpaid checkout was ended at a provider where it would never expire.
alter table checkouts add column closed_at timestamptz;

-- The sweep reads by urgency: memberships at their date first.
create index subscriptions_due_idx on subscriptions (provider, next_billing_date)
  where status = 'active' and provider <> 'test';

-- A refund is looked up by its sale.
alter table webhook_events drop constraint webhook_events_subject_check;
alter table webhook_events add constraint webhook_events_subject_check
  check (subject in ('subscription', 'sale', 'refund', 'reversal', 'dispute', 'payment', 'preapproval', 'invoice', 'order',
    'chargeback'));
