create table psychologist_profiles (
  id uuid primary key references profiles (id) on delete cascade,
  specialty text,
  license_number text not null,
  country text check (country in ('Argentina', 'México', 'España', 'Colombia', 'Chile', 'Perú', 'Venezuela', 'Paraguay', 'Uruguay', 'Ecuador', 'Panamá')),
  bio text,
  phone text,
  whatsapp text,
  website text,
  verified_at timestamptz,
  rejected_at timestamptz,
  is_verified boolean not null generated always as (verified_at is not null) stored,
  rating numeric(2, 1) check (rating between 1 and 5),
  total_reviews integer not null default 0 check (total_reviews >= 0),
  total_responses integer not null default 0 check (total_responses >= 0),
  total_votes integer not null default 0,
  -- End of Gold: null for never, infinity for lifetime. subscription_active follows from it and the clock.
  gold_until timestamptz,
  subscription_id uuid,
  free_responses_used integer not null default 0 check (free_responses_used >= 0),
  max_free_responses integer not null default 3 check (max_free_responses >= 0),
  created_at timestamptz(3) not null default now(),
  check (free_responses_used <= max_free_responses)
);
create index psychologist_profiles_pending_idx on psychologist_profiles (created_at, id) where verified_at is null;
create index psychologist_profiles_ranking_idx on psychologist_profiles (rating desc nulls last, total_reviews desc, total_responses desc, id) where verified_at is not null;

create table psychologist_reviews (
  id uuid primary key default gen_random_uuid(),
  psychologist_id uuid not null references psychologist_profiles (id) on delete cascade,
  user_id uuid not null references profiles (id) on delete cascade,
  rating integer not null check (rating between 1 and 5),
  comment text check (char_length(comment) <= 1000),
  show_name boolean not null default false,
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  constraint psychologist_reviews_pair_key unique (psychologist_id, user_id),
  constraint psychologist_reviews_not_oneself check (psychologist_id <> user_id)
);
create index psychologist_reviews_newest_idx on psychologist_reviews (psychologist_id, created_at desc);
create index psychologist_reviews_user_idx on psychologist_reviews (user_id);

-- A visit counts once a day. The key is a hash of the visitor with a secret that changes daily, so it identifies no
-- person.
create table profile_views (
  psychologist_id uuid not null references psychologist_profiles (id) on delete cascade,
  viewed_on date not null,
  viewer_hash bytea not null,
  primary key (psychologist_id, viewed_on, viewer_hash)
);

