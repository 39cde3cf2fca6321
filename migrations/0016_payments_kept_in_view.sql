-- What a payment page showed last, and what it was opened for: both are needed to look at it again much later.

alter table checkout_attempts
  -- A payment is under way there, such as cash that has not been handed over: it does not expire like one left open.
  add column paying boolean not null default false,
  -- The service's own plan; the one in the configuration may be another by the time of a payment.
  add column provider_plan_id text;

-- Monthly agreements begun and not paid whose account has been deleted since: the service's id, and nothing of the person.
create table abandoned_checkouts (
  provider text not null check (provider in ('paypal', 'mercadopago')),
  external_id text not null,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (provider, external_id)
);
