-- Money in integer minor units with its currency. Payments are never deleted together with other rows.

create table subscriptions (
  id uuid primary key default gen_random_uuid(),
  psychologist_id uuid not null references psychologist_profiles (id) on delete restrict,
  provider text not null check (provider in ('paypal', 'mercadopago', 'test')),
  external_subscription_id text not null,
  plan_type text not null check (plan_type in ('monthly', 'lifetime')),
  amount integer not null check (amount > 0),
  currency text not null check (currency in ('USD', 'ARS')),
  status text not null check (status in ('active', 'cancelled')),
  next_billing_date timestamptz,
  cancelled_at timestamptz,
  created_at timestamptz not null default now(),
  constraint subscriptions_external_key unique (provider, external_subscription_id),
  constraint subscriptions_lifetime_has_no_date check (plan_type <> 'lifetime' or next_billing_date is null),
  constraint subscriptions_cancelled_has_a_time check ((status = 'cancelled') = (cancelled_at is not null))
);
create index subscriptions_psychologist_idx on subscriptions (psychologist_id, created_at desc);

alter table psychologist_profiles
  add constraint psychologist_profiles_subscription_fkey foreign key (subscription_id) references subscriptions (id) on delete set null;
create index psychologist_profiles_subscription_idx on psychologist_profiles (subscription_id);

create table payment_transactions (
  id uuid primary key default gen_random_uuid(),
  subscription_id uuid not null references subscriptions (id) on delete restrict,
  provider text not null check (provider in ('paypal', 'mercadopago', 'test')),
  external_payment_id text not null,
  amount integer not null check (amount > 0),
  currency text not null check (currency in ('USD', 'ARS')),
  status text not null,
  created_at timestamptz not null default now(),
  constraint payment_transactions_external_key unique (provider, external_payment_id)
);
create index payment_transactions_subscription_idx on payment_transactions (subscription_id);

