-- The fields that a psychologist has changed since the licence was last checked; null if it was never checked.
alter table psychologist_profiles add column changed_since_check text[];
