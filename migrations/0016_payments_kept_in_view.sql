-- Last shown state of a payment page, and the subject of its checkout. Later readings need both.

alter table checkout_attempts
  -- A payment is pending there, such as cash. It does not expire like an open checkout.
  add column paying boolean not null default false,
  -- The provider's own plan. The configuration may change before a payment.
  add column provider_plan_id text;

-- Unpaid monthly subscriptions of deleted accounts: the provider's id and no personal data.
create table abandoned_checkouts (
  provider text not null check (provider in ('paypal', 'mercadopago')),
  external_id text not null,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (provider, external_id)
);
