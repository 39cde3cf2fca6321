-- Psychologists consent to the processing and publication of their professional data.
alter table consents drop constraint consents_kind_check;
alter table consents add constraint consents_kind_check
  check (kind in ('adult_or_guardian', 'health_data', 'professional_data', 'transfer_abroad'));
