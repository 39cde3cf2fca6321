-- Fields that a psychologist has changed since the last licence check; null if never checked.
alter table psychologist_profiles add column changed_since_check text[];
