create table consultations (
  id uuid primary key default gen_random_uuid(),
  title text not null check (char_length(title) between 5 and 140),
  content text not null check (char_length(content) between 20 and 5000),
  country text not null check (country in ('Argentina', 'México', 'España', 'Colombia', 'Chile', 'Perú', 'Venezuela', 'Paraguay', 'Uruguay', 'Ecuador', 'Panamá')),
  category text check (category in ('Ansiedad', 'Depresión', 'Estrés', 'Relaciones', 'Autoestima', 'Duelo', 'Trabajo/Estudio', 'Familia', 'Adicciones', 'Otro/a')),
  is_anonymous boolean not null,
  author_name text check (char_length(author_name) between 2 and 80),
  -- Null after the author deleted the account: anonymous texts may stay without an author.
  user_id uuid references profiles (id) on delete set null,
  upvotes integer not null default 0 check (upvotes >= 0),
  downvotes integer not null default 0 check (downvotes >= 0),
  score integer not null generated always as (upvotes - downvotes) stored,
  response_count integer not null default 0 check (response_count >= 0),
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  constraint consultations_anonymous_has_no_name check (not is_anonymous or author_name is null)
);
create index consultations_user_idx on consultations (user_id, created_at desc);

-- One index per order and filter of the feed; "oldest" reads the first of each group backwards.
create index consultations_recent_idx on consultations (created_at desc, id desc);
create index consultations_country_recent_idx on consultations (country, created_at desc, id desc);
create index consultations_category_recent_idx on consultations (category, created_at desc, id desc);
create index consultations_country_category_recent_idx on consultations (country, category, created_at desc, id desc);
create index consultations_votes_idx on consultations (score desc, created_at desc, id desc);
create index consultations_country_votes_idx on consultations (country, score desc, created_at desc, id desc);
create index consultations_category_votes_idx on consultations (category, score desc, created_at desc, id desc);
create index consultations_country_category_votes_idx on consultations (country, category, score desc, created_at desc, id desc);
create index consultations_responses_idx on consultations (response_count desc, created_at desc, id desc);
create index consultations_country_responses_idx on consultations (country, response_count desc, created_at desc, id desc);
create index consultations_category_responses_idx on consultations (category, response_count desc, created_at desc, id desc);
create index consultations_country_category_responses_idx on consultations (country, category, response_count desc, created_at desc, id desc);
create index consultations_unanswered_idx on consultations (country) where response_count = 0;

create table consultation_votes (
  id uuid primary key default gen_random_uuid(),
  consultation_id uuid not null references consultations (id) on delete cascade,
  user_id uuid not null references profiles (id) on delete cascade,
  vote_type text not null check (vote_type in ('up', 'down')),
  created_at timestamptz not null default now(),
  constraint consultation_votes_one_each unique (consultation_id, user_id)
);
create index consultation_votes_user_idx on consultation_votes (user_id);

create table consultation_responses (
  id uuid primary key default gen_random_uuid(),
  consultation_id uuid not null references consultations (id) on delete cascade,
  -- The command that deletes an account decides what happens to answers, so no side effect may delete them.
  psychologist_id uuid not null references psychologist_profiles (id) on delete restrict,
  content text not null check (char_length(content) between 2 and 5000),
  upvotes integer not null default 0 check (upvotes >= 0),
  downvotes integer not null default 0 check (downvotes >= 0),
  votes integer not null generated always as (upvotes - downvotes) stored,
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3)
);
create index consultation_responses_consultation_idx on consultation_responses (consultation_id, created_at desc, id desc);
create index consultation_responses_psychologist_idx on consultation_responses (psychologist_id, created_at desc, id desc);

create table response_votes (
  id uuid primary key default gen_random_uuid(),
  response_id uuid not null references consultation_responses (id) on delete cascade,
  user_id uuid not null references profiles (id) on delete cascade,
  vote_type text not null check (vote_type in ('up', 'down')),
  created_at timestamptz not null default now(),
  constraint response_votes_one_each unique (response_id, user_id)
);
create index response_votes_user_idx on response_votes (user_id);

create table consultation_replies (
  id uuid primary key default gen_random_uuid(),
  response_id uuid not null references consultation_responses (id) on delete cascade,
  user_id uuid references profiles (id) on delete set null,
  content text not null check (char_length(content) between 2 and 5000),
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3)
);
create index consultation_replies_response_idx on consultation_replies (response_id, created_at, id);
create index consultation_replies_user_idx on consultation_replies (user_id);

