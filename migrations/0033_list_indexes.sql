-- Every list that grows with the community is read from an index, even if a filter leaves few rows.

-- A user's own consultations in the order of their list.
drop index consultations_user_idx;
create index consultations_user_idx on consultations (user_id, created_at desc, id desc);

-- A psychologist's numbers are recounted from this index alone. A change of `votes` writes to every index anyway.
drop index consultation_responses_psychologist_idx;
create index consultation_responses_psychologist_idx
  on consultation_responses (psychologist_id, created_at desc, id desc) include (votes);

-- The administrator's list of psychologists in its order: of a country, verified, or with Gold; also psychologists with
-- an old check if they are few.
create index psychologist_profiles_country_newest_idx on psychologist_profiles (country, created_at desc, id desc);
create index psychologist_profiles_verified_newest_idx on psychologist_profiles (created_at desc, id desc)
  where verified_at is not null;
create index psychologist_profiles_gold_newest_idx on psychologist_profiles (created_at desc, id desc)
  where gold_until is not null;
create index psychologist_profiles_verified_idx on psychologist_profiles (verified_at);

-- The author is looked up only for a named consultation that shows the name. A join made every scan read the table.
create or replace view visible.consultations as
  select c.id, c.title, c.content, c.country, c.category, c.is_anonymous,
    case when not c.is_anonymous
      then coalesce(c.author_name, (select author.full_name from profiles author where author.id = c.user_id))
    end as author_label,
    c.upvotes, c.downvotes, c.score, c.response_count, c.created_at, c.edited_at
  from consultations c;
