-- Gold that the administrator grants, and payments that the administrator can settle by hand.

-- Gold without a payment. An extension ends one grant and begins another, so each row has its reason and its
-- administrator.
create table gold_grants (
  id uuid primary key default gen_random_uuid(),
  psychologist_id uuid not null references psychologist_profiles (id) on delete cascade,
  starts_at timestamptz(3) not null,
  -- Null without an end.
  ends_at timestamptz(3),
  reason text not null,
  granted_by uuid references profiles (id) on delete set null,
  -- Ended by hand, or extended by another grant.
  ended_at timestamptz(3),
  ended_by uuid references profiles (id) on delete set null,
  constraint gold_grants_ends_after_start check (ends_at > starts_at),
  constraint gold_grants_ended_has_a_time check (ended_by is null or ended_at is not null)
);
create index gold_grants_psychologist_idx on gold_grants (psychologist_id, starts_at desc);
create index gold_grants_granted_by_idx on gold_grants (granted_by);
create index gold_grants_ended_by_idx on gold_grants (ended_by);

-- The administrator confirmed the owner of the payment, for any reference that the provider stores with it.
alter table checkouts add column owner_confirmed_at timestamptz;

-- The provider's subscription of a problem, or null if unknown.
alter table payment_problems add column external_subscription_id text;

-- A cancellation that the administrator closed; it is not sent any more.
alter table subscriptions add column cancel_closed_at timestamptz;

alter table subscriptions drop constraint subscriptions_ended_by_check;
alter table subscriptions add constraint subscriptions_ended_by_check
  check (ended_by in ('person', 'provider', 'refund', 'replaced', 'paid_twice', 'mismatch', 'admin'));
