-- The ranking in its read order (rating, then Gold, which depends on the clock and is sorted among equals), and the
-- daily numbers of profile visits, which stay after visitor marks are deleted.

-- The numbers of answers change with each answer. An index without them is written only by reviews.
drop index psychologist_profiles_ranking_idx;
create index psychologist_profiles_ranking_idx on psychologist_profiles ((rating::float8) desc nulls last) where is_verified;
create index psychologist_profiles_country_ranking_idx on psychologist_profiles (country, (rating::float8) desc nulls last) where is_verified;

create view visible.verified_psychologists as
  select id, country, rating::float8 as rating, gold_until, total_reviews, total_responses, verified_at
  from psychologist_profiles where is_verified;
grant select on visible.verified_psychologists to divan_public;

-- A mark (profile_views) shows within its day who was counted. It is deleted after that, and this number stays.
create table profile_view_days (
  psychologist_id uuid not null references psychologist_profiles (id) on delete cascade,
  viewed_on date not null,
  views integer not null check (views > 0),
  primary key (psychologist_id, viewed_on)
);
create index profile_views_day_idx on profile_views (viewed_on);
