-- When the buyer returned from the provider's page, which reported a payment. Null before the first time.
alter table checkouts add column returned_at timestamptz;
