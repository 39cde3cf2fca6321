-- Checkouts, events of the plans screen, and messages of the contact form.

-- Started payments. Owner, plan and price are set by the server. A membership begins only from the provider's data of
-- the external id.
create table checkout_attempts (
  id uuid primary key default gen_random_uuid(),
  psychologist_id uuid not null references psychologist_profiles (id) on delete cascade,
  -- The provider, or the demo's stand-in for it, which confirms the payment.
  provider text not null check (provider in ('paypal', 'mercadopago', 'test')),
  -- The pressed card of the plans screen; it decides price and currency.
  method text not null check (method in ('paypal', 'mercadopago')),
  external_id text not null,
  plan_type text not null check (plan_type in ('monthly', 'lifetime')),
  amount integer not null check (amount > 0),
  currency text not null check (currency in ('USD', 'ARS')),
  status text not null default 'open' check (status in ('open', 'paid', 'failed', 'expired')),
  created_at timestamptz not null,
  settled_at timestamptz,
  constraint checkout_attempts_external_key unique (provider, external_id),
  constraint checkout_attempts_settled_has_a_time check ((status = 'open') = (settled_at is null))
);
create index checkout_attempts_psychologist_idx on checkout_attempts (psychologist_id, created_at desc);
create index checkout_attempts_open_idx on checkout_attempts (created_at) where status = 'open';

-- Data of the demo's provider, separate from ours: it is read like a real provider.
create table test_checkouts (
  id text primary key check (id like 'TEST\_%'),
  plan_type text not null check (plan_type in ('monthly', 'lifetime')),
  amount integer not null check (amount > 0),
  currency text not null check (currency in ('USD', 'ARS')),
  status text not null default 'open' check (status in ('open', 'approved', 'rejected')),
  payment_id text not null unique check (payment_id like 'TEST\_%')
);

-- No psychologist has two active memberships at a time.
create unique index subscriptions_one_active_key on subscriptions (psychologist_id) where status = 'active';

-- Events of the plans screen, by the hour and without ids, so that they identify no person.
create table analytics_events (
  name text not null check (name in ('view_premium_plans', 'plan_selection', 'subscription_success')),
  plan_type text check (plan_type in ('monthly', 'lifetime')),
  method text check (method in ('paypal', 'mercadopago')),
  happened_at timestamptz not null check (happened_at = date_trunc('hour', happened_at, 'UTC'))
);
create index analytics_events_happened_idx on analytics_events (happened_at);

-- Messages of the contact form. They contain the typed text and whether a Gold member sent it, never an account's id.
create table contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 2 and 80),
  email text not null,
  message text not null check (char_length(message) between 10 and 5000),
  from_gold boolean not null,
  created_at timestamptz(3) not null,
  handled_at timestamptz(3)
);
create index contact_messages_waiting_idx on contact_messages (from_gold desc, created_at, id) where handled_at is null;
create index contact_messages_handled_idx on contact_messages (handled_at desc) where handled_at is not null;
