-- Time at which the buyer returned from the provider's page, which reported a payment, or null.
alter table checkouts add column returned_at timestamptz;
