-- Every list that grows with the community is read from an index, also where a filter leaves few rows.

-- A user's own consultations, in the whole order of their list.
drop index consultations_user_idx;
create index consultations_user_idx on consultations (user_id, created_at desc, id desc);

-- A psychologist's numbers are recounted from this index alone. A change of `votes` already writes to every index.
drop index consultation_responses_psychologist_idx;
create index consultation_responses_psychologist_idx
  on consultation_responses (psychologist_id, created_at desc, id desc) include (votes);

-- The administrator's list of psychologists: of a country in its order; those with an old check or with Gold if they are few.
create index psychologist_profiles_country_newest_idx on psychologist_profiles (country, created_at desc, id desc);
create index psychologist_profiles_verified_idx on psychologist_profiles (verified_at);
create index psychologist_profiles_gold_idx on psychologist_profiles (gold_until);
