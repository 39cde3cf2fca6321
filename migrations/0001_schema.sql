-- Schema of the database. The schema `public` holds the tables, `visible` the views for public reads.

-- ACCOUNTS

create table profiles (
  id uuid primary key default gen_random_uuid(),
  full_name text not null check (char_length(full_name) between 2 and 80),
  -- In the delivered spelling (shared/normalize-email.ts): one mailbox, one account.
  email text not null unique,
  avatar_url text,
  user_type text not null check (user_type in ('user', 'psychologist')),
  weekly_consultations_used integer not null default 0 check (weekly_consultations_used >= 0),
  weekly_window_started_at timestamptz,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

-- Secrets of an account, separate from the profile, so that reading a profile never reads them.
create table accounts (
  id uuid primary key references profiles (id) on delete cascade,
  password_hash text not null,
  password_changed_at timestamptz not null default now(),
  email_verified_at timestamptz not null,
  -- Time of the newest notification that the person has seen; the creation of the account before that.
  notifications_seen_at timestamptz not null default now()
);

-- A registration is not an account yet. Several may be pending for one email, each for 24 h; none can cancel another.
create table pending_registrations (
  id uuid primary key,
  token_hash bytea not null unique,
  browser_hash bytea not null,
  email text not null,
  full_name text not null,
  password_hash text not null,
  user_type text not null check (user_type in ('user', 'psychologist')),
  details jsonb not null default '{}',
  return_to text not null default '/',
  consent_version text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Time at which the mail with this link was allowed, or null.
  mailed_at timestamptz
);
create index pending_registrations_email_idx on pending_registrations (email, created_at desc);
create index pending_registrations_expires_idx on pending_registrations (expires_at);

-- Links to choose a new password or to make a browser known. Stored for every email; only the mail depends on whether
-- there is an account. Several may be valid for one email. Using one invalidates the others of its purpose.
create table mailed_links (
  id uuid primary key,
  purpose text not null check (purpose in ('recover', 'known_device')),
  email text not null,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  -- Time at which the mail with a recovery link was allowed, or null.
  mailed_at timestamptz
);
create index mailed_links_email_idx on mailed_links (email);
create index mailed_links_expires_idx on mailed_links (expires_at);

-- A requested email change, and after its confirmation the link that reverts it.
create table email_changes (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  old_email text not null,
  new_email text not null,
  token_hash bytea not null unique,
  undo_hash bytea not null unique,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- Expiry of the link in the new mailbox; after the confirmation, of the link in the old mailbox.
  expires_at timestamptz not null,
  -- Time at which the mail with this link was allowed, or null.
  mailed_at timestamptz
);
create unique index email_changes_pending_key on email_changes (account_id) where confirmed_at is null;
create index email_changes_account_idx on email_changes (account_id);
create index email_changes_expires_idx on email_changes (expires_at);

-- A consent may be withdrawn and given again. All times of both are stored.
create table consents (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references profiles (id) on delete cascade,
  kind text not null check (kind in ('adult_or_guardian', 'health_data', 'professional_data', 'transfer_abroad')),
  version text not null,
  accepted_at timestamptz not null,
  withdrawn_at timestamptz
);
create unique index consents_given_key on consents (profile_id, kind, version) where withdrawn_at is null;
create index consents_profile_idx on consents (profile_id);

-- A user's choices about mails and pushes; no row without a choice or a mail.
create table mail_preferences (
  profile_id uuid primary key references profiles (id) on delete cascade,
  answers boolean not null default true,
  -- Daily mail about unanswered consultations, for psychologists: those up to this time were in a digest, or are older
  -- than the choice. Null without digests.
  digest_until timestamptz(3),
  -- Empty for all categories.
  digest_categories text[] not null default '{}',
  push_answers boolean not null default true,
  push_replies boolean not null default true,
  -- Id from which the unsubscribe link is derived. A new id invalidates earlier links.
  link_id uuid not null,
  token_hash bytea not null unique
);

-- Recipient of the last mail of a deleted account; the row is deleted with the mail.
create table deleted_account_emails (
  id uuid primary key,
  email text not null,
  created_at timestamptz not null
);
create index deleted_account_emails_created_idx on deleted_account_emails (created_at);

-- SESSIONS

create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  secret_hash bytea not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- Browser and system in words ("Firefox en Android"), read once when the session began. The User-Agent is not stored.
  device text,
  -- Time at which the password was last given in this session, or null.
  password_at timestamptz,
  -- Time of the last code of the second factor in this session, or null.
  second_factor_at timestamptz
);
create index sessions_account_idx on sessions (account_id);
create index sessions_expires_idx on sessions (expires_at);

-- Browsers that get pushes. The row ends with its session; a session may get another id.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references sessions (id) on update cascade on delete cascade,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  -- Key of the server with which the browser subscribed (VAPID, RFC 8292). It accepts no push of another key.
  public_key text not null,
  created_at timestamptz(3) not null,
  -- Time of the last push if the person has not looked since. The server sends the next one after a day at the earliest.
  pushed_at timestamptz(3)
);
create index push_subscriptions_session_idx on push_subscriptions (session_id);

-- The password was right; the session begins with a code of the second factor.
create table sign_in_challenges (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  secret_hash bytea not null,
  expires_at timestamptz not null
);
create index sign_in_challenges_account_idx on sign_in_challenges (account_id);
create index sign_in_challenges_expires_idx on sign_in_challenges (expires_at);

create table second_factors (
  account_id uuid primary key references accounts (id) on delete cascade,
  -- Encrypted with a key derived from the application's secret: a copy of the database reveals no codes.
  secret bytea not null,
  created_at timestamptz not null,
  -- Null during the setup: it is active after the first right code.
  confirmed_at timestamptz,
  -- Newest 30-second step of a used code. The server accepts only later steps, so that a code works once.
  used_step bigint not null default 0
);

-- Each code works once: its use deletes it. Hashed with a key of the application.
create table recovery_codes (
  account_id uuid not null references second_factors (account_id) on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

-- Browsers in which an account has signed in (docs/decisions/0013). A browser stores a random value. The database
-- stores its keyed hash for this account, so that two accounts in one browser cannot be linked.
create table known_devices (
  account_id uuid not null references accounts (id) on delete cascade,
  device_hash bytea not null,
  -- Day on which this browser last signed in.
  last_day date not null,
  -- Order in which the browsers of one account signed in, without the time. `last_day` does not order browsers of the
  -- same day. Counted per account, so that rows of two accounts cannot be linked.
  position integer not null default 0,
  primary key (account_id, device_hash)
);
create index known_devices_last_day_idx on known_devices (last_day);

-- PSYCHOLOGISTS

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
  -- Fields that a psychologist has changed since the last licence check; null if never checked.
  changed_since_check text[],
  rating numeric(2, 1) check (rating between 1 and 5),
  total_reviews integer not null default 0 check (total_reviews >= 0),
  total_responses integer not null default 0 check (total_responses >= 0),
  total_votes integer not null default 0,
  -- End of Gold: null for never, infinity for lifetime. subscription_active follows from it and the clock.
  gold_until timestamptz,
  -- References checkouts, which are created below.
  subscription_id uuid,
  free_responses_used integer not null default 0 check (free_responses_used >= 0),
  max_free_responses integer not null default 3 check (max_free_responses >= 0),
  created_at timestamptz(3) not null default now(),
  check (free_responses_used <= max_free_responses)
);
create index psychologist_profiles_subscription_idx on psychologist_profiles (subscription_id);
-- The ranking in its read order: rating, then Gold, which depends on the clock and is sorted among equals. The numbers
-- of answers change with each answer. An index without them is written only by reviews.
create index psychologist_profiles_ranking_idx on psychologist_profiles ((rating::float8) desc nulls last) where is_verified;
create index psychologist_profiles_country_ranking_idx on psychologist_profiles (country, (rating::float8) desc nulls last) where is_verified;
-- The administrator's lists of psychologists in their order: pending, all, of a country, verified, with Gold, and with
-- an old check.
create index psychologist_profiles_pending_idx on psychologist_profiles (created_at, id) where verified_at is null;
create index psychologist_profiles_newest_idx on psychologist_profiles (created_at desc, id desc);
create index psychologist_profiles_country_newest_idx on psychologist_profiles (country, created_at desc, id desc);
create index psychologist_profiles_verified_newest_idx on psychologist_profiles (created_at desc, id desc) where verified_at is not null;
create index psychologist_profiles_gold_newest_idx on psychologist_profiles (created_at desc, id desc) where gold_until is not null;
create index psychologist_profiles_verified_idx on psychologist_profiles (verified_at);

-- The author is null after the author deleted the account. Such a review gets a random time, like a consultation.
create table psychologist_reviews (
  id uuid primary key default gen_random_uuid(),
  psychologist_id uuid not null references psychologist_profiles (id) on delete cascade,
  user_id uuid references profiles (id) on delete set null,
  rating integer not null check (rating between 1 and 5),
  comment text check (char_length(comment) <= 1000),
  show_name boolean not null default false,
  -- True for a psychologist's review whose author deleted the account.
  by_colleague boolean not null default false,
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  delete_at timestamptz(3),
  rewrite_at timestamptz(3),
  unique (psychologist_id, user_id),
  constraint psychologist_reviews_no_self_review check (psychologist_id <> user_id),
  constraint psychologist_reviews_anonymised_has_no_owner check (num_nonnulls(delete_at, rewrite_at) = 0 or (user_id is null and num_nonnulls(delete_at, rewrite_at) = 1))
);
create index psychologist_reviews_newest_idx on psychologist_reviews (psychologist_id, created_at desc, id desc);
create index psychologist_reviews_user_idx on psychologist_reviews (user_id);
create index psychologist_reviews_anonymised_due_idx on psychologist_reviews (coalesce(delete_at, rewrite_at)) where delete_at is not null or rewrite_at is not null;

-- A visit counts once a day. The key is a hash of the visitor with a secret that changes daily, so it identifies no
-- person. The rows are deleted after the day.
create table profile_views (
  psychologist_id uuid not null references psychologist_profiles (id) on delete cascade,
  viewed_on date not null,
  viewer_hash bytea not null,
  primary key (psychologist_id, viewed_on, viewer_hash)
);
create index profile_views_day_idx on profile_views (viewed_on);

-- Daily numbers of visits, which stay after profile_views is deleted.
create table profile_view_counts (
  psychologist_id uuid not null references psychologist_profiles (id) on delete cascade,
  viewed_on date not null,
  views integer not null check (views > 0),
  primary key (psychologist_id, viewed_on)
);

-- CONSULTATIONS, ANSWERS, REPLIES

-- Deleting an account anonymises its texts without a name. Each text gets a random time, at which the server deletes it
-- (delete_at) or, if it stays, rewrites its row (rewrite_at). Otherwise the order of rows would link the texts. The
-- text's row stores the time, because jobs would be created together with those of the same account.
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
  -- True if the author wants mails about answers.
  notify_on_answer boolean not null default false,
  -- True if the author does not want search engines to list it.
  noindex boolean not null default false,
  -- Answers received in total, shown in the author's list, and shown on the consultation's page.
  answers_received integer not null default 0,
  answers_listed integer not null default 0,
  answers_seen integer not null default 0,
  -- Mail about the answers that the author has not seen. No other mail is sent until then.
  answer_mail_id uuid,
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  delete_at timestamptz(3),
  rewrite_at timestamptz(3),
  constraint consultations_anonymous_has_no_name check (not is_anonymous or author_name is null),
  constraint consultations_answer_counters_check check (0 <= answers_seen and answers_seen <= answers_listed and answers_listed <= answers_received),
  constraint consultations_anonymised_has_no_owner check (num_nonnulls(delete_at, rewrite_at) = 0 or (user_id is null and num_nonnulls(delete_at, rewrite_at) = 1))
);
create index consultations_user_idx on consultations (user_id, created_at desc, id desc);
create index consultations_unlisted_answers_idx on consultations (user_id) where answers_received > answers_listed;
create index consultations_anonymised_due_idx on consultations (coalesce(delete_at, rewrite_at)) where delete_at is not null or rewrite_at is not null;
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
-- The parts of the sitemap.
create index consultations_indexed_idx on consultations (id) where response_count > 0 and not noindex;

-- Words of each consultation for the search, never of its author. A separate table, so that votes do not write it.
create table consultation_search (
  consultation_id uuid primary key references consultations (id) on delete cascade,
  -- As in the consultation: a search reads matches from the newest on.
  created_at timestamptz not null,
  country text not null,
  category text,
  answered boolean not null default false,
  -- Stems of the title (weight A) and of the text (weight B).
  document tsvector not null,
  -- Words of the title without accents, for suggestions and to correct typing errors. Only the newest are read.
  title_words tsvector not null
);
create index consultation_search_document_idx on consultation_search using gin (document);
create index consultation_search_recent_idx on consultation_search (created_at desc, consultation_id desc);
create index consultation_search_country_idx on consultation_search (country, created_at desc, consultation_id desc);
create index consultation_search_category_idx on consultation_search (category, created_at desc, consultation_id desc);

-- Replaces "<" and "/", because the parser would ignore tags, and read "hijo/hija" as one word.
create function index_consultation() returns trigger language plpgsql as $$
begin
  insert into public.consultation_search (consultation_id, created_at, country, category, answered, document, title_words)
  values (
    new.id,
    new.created_at,
    new.country,
    new.category,
    new.response_count > 0,
    setweight(to_tsvector('spanish', translate(new.title, '</', '  ')), 'A')
      || setweight(to_tsvector('spanish', translate(new.content, '</', '  ')), 'B'),
    to_tsvector('simple', translate(lower(new.title), 'áéíóúüñ</', 'aeiouun  '))
  ) on conflict (consultation_id) do update
    set created_at = excluded.created_at, country = excluded.country, category = excluded.category,
      document = excluded.document, title_words = excluded.title_words;
  return null;
end $$;
create trigger index_consultation after insert or update of title, content, created_at, country, category
  on consultations
  for each row execute function index_consultation();

create function index_answered() returns trigger language plpgsql as $$
begin
  update public.consultation_search set answered = new.response_count > 0 where consultation_id = new.id;
  return null;
end $$;
create trigger index_answered after update of response_count on consultations
  for each row when ((old.response_count > 0) <> (new.response_count > 0)) execute function index_answered();

create table consultation_votes (
  id uuid primary key default gen_random_uuid(),
  consultation_id uuid not null references consultations (id) on delete cascade,
  user_id uuid references profiles (id) on delete set null,
  vote_type text not null check (vote_type in ('up', 'down')),
  created_at timestamptz not null default now(),
  unique (consultation_id, user_id)
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
  -- Number of replies, recounted under the answer's lock.
  reply_count integer not null default 0 check (reply_count >= 0),
  -- Time of the newest reply or thanks, or null. Later if they were deleted with an account.
  news_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3)
);
create index consultation_responses_consultation_idx on consultation_responses (consultation_id, created_at desc, id desc);
create index consultation_responses_votes_idx on consultation_responses (consultation_id, votes desc, created_at desc, id desc);
-- A psychologist's numbers are recounted from this index alone. A change of `votes` writes to every index anyway.
create index consultation_responses_psychologist_idx on consultation_responses (psychologist_id, created_at desc, id desc) include (votes);
create index consultation_responses_news_idx on consultation_responses (psychologist_id, news_at) where news_at is not null;

create table response_votes (
  id uuid primary key default gen_random_uuid(),
  response_id uuid not null references consultation_responses (id) on delete cascade,
  user_id uuid references profiles (id) on delete set null,
  vote_type text not null check (vote_type in ('up', 'down')),
  created_at timestamptz not null default now(),
  unique (response_id, user_id)
);
create index response_votes_user_idx on response_votes (user_id);

-- "Esto me ayudó": private thanks. Only the psychologist sees their number. No view shows the sender.
create table response_thanks (
  id uuid primary key default gen_random_uuid(),
  response_id uuid not null references consultation_responses (id) on delete cascade,
  user_id uuid references profiles (id) on delete set null,
  created_at timestamptz(3) not null default now(),
  unique (response_id, user_id)
);
create index response_thanks_user_idx on response_thanks (user_id);

create table consultation_replies (
  id uuid primary key default gen_random_uuid(),
  response_id uuid not null references consultation_responses (id) on delete cascade,
  user_id uuid references profiles (id) on delete set null,
  content text not null check (char_length(content) between 2 and 5000),
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  delete_at timestamptz(3),
  rewrite_at timestamptz(3),
  constraint consultation_replies_anonymised_has_no_owner check (num_nonnulls(delete_at, rewrite_at) = 0 or (user_id is null and num_nonnulls(delete_at, rewrite_at) = 1))
);
create index consultation_replies_response_idx on consultation_replies (response_id, created_at, id);
-- A user's replies to one answer, newest first, for the daily limit and for showing them to that user.
create index consultation_replies_user_idx on consultation_replies (user_id, response_id, created_at desc, id desc);
create index consultation_replies_anonymised_due_idx on consultation_replies (coalesce(delete_at, rewrite_at)) where delete_at is not null or rewrite_at is not null;

-- A psychologist's own texts to insert into answers. Only the psychologist reads them.
create table answer_templates (
  id uuid primary key default gen_random_uuid(),
  psychologist_id uuid not null references psychologist_profiles (id) on delete cascade,
  title text not null check (char_length(title) between 1 and 60),
  content text not null check (char_length(content) between 2 and 5000),
  created_at timestamptz(3) not null default now()
);
create index answer_templates_psychologist_idx on answer_templates (psychologist_id, created_at, id);

-- Deleted items, so that their URLs can respond 410. No author, no text, no reference to either, and no time, which could
-- link items that were deleted together.
create table deleted_items (
  id uuid primary key
);

-- Times of deleted replies, which count towards the daily limit. Rows are deleted after a day and with the account.
create table deleted_replies (
  id uuid primary key,
  -- No foreign key: the answer may have been removed, and the removal undone, since.
  response_id uuid not null,
  user_id uuid not null references profiles (id) on delete cascade,
  -- Time of the reply.
  created_at timestamptz(3) not null
);
create index deleted_replies_author_idx on deleted_replies (user_id, response_id);
create index deleted_replies_created_idx on deleted_replies (created_at);

-- Consultations that the administrator removed, stored completely for 15 s to undo the removal; then a job deletes
-- them. Only the undo reads them. A user who deletes one of the texts deletes its removal.
create table removed_consultations (
  -- Row of audit_log about the removal.
  decision_id uuid primary key,
  consultation_id uuid not null unique,
  -- Start of the author's weekly window if the removal restored its use.
  credit_window timestamptz,
  removed_at timestamptz(3) not null,
  -- All rows that were removed, by table.
  rows jsonb not null
);
create index removed_consultations_age_idx on removed_consultations (removed_at);

-- MEMBERSHIPS. Money in integer minor units with its currency.

-- One row for each payment or subscription at a provider (docs/decisions/0021). It exists before the provider's id: its
-- own id is the reference for the provider. Owner, plan and price are set by the server.
create table checkouts (
  id uuid primary key default gen_random_uuid(),
  -- Null after the psychologist deleted the account.
  psychologist_id uuid references psychologist_profiles (id) on delete set null,
  -- The provider, or the demo's stand-in for it, which confirms the payment.
  provider text not null check (provider in ('paypal', 'mercadopago', 'test')),
  -- The pressed card of the plans screen; it decides price and currency.
  method text not null check (method in ('paypal', 'mercadopago')),
  external_id text,
  -- The provider's own plan. The configuration may change before a payment.
  provider_plan_id text,
  plan_type text not null check (plan_type in ('monthly', 'lifetime')),
  amount integer not null check (amount > 0),
  currency text not null check (currency in ('USD', 'ARS')),
  -- URL of the provider's payment page.
  approval_url text,
  -- Email of the paying MercadoPago account; stored only while the checkout is open.
  payer_email text,
  created_at timestamptz not null,
  -- Time at which the buyer returned from the provider's page, which reported a payment, or null.
  returned_at timestamptz,
  -- The administrator confirmed the owner of the payment, for any reference that the provider stores with it.
  owner_confirmed_at timestamptz,
  -- The provider's last state, its time by the provider's clock, and the time of our reading.
  state text not null default 'pending' check (state in ('pending', 'paying', 'active', 'suspended', 'cancelled', 'expired', 'failed', 'gone')),
  provider_updated_at timestamptz,
  read_at timestamptz,
  -- Time of the next reading; null before the payment page opens, in the test mode, and if nothing can change any more.
  due_at timestamptz,
  -- Number of consecutive failed readings, and the time of the first one.
  failures integer not null default 0,
  failing_since timestamptz,
  -- End at the provider: wanted by us, confirmed by a reading, or closed by the administrator and not sent any more.
  end_wanted_at timestamptz,
  end_confirmed_at timestamptz,
  end_closed_at timestamptz,
  -- The membership that it became: null without one. It stays after the account is deleted.
  status text check (status in ('active', 'cancelled')),
  began_at timestamptz,
  next_billing_date timestamptz,
  -- The provider's next date, stored because some providers delete it after the end of the membership.
  provider_next_billing_date timestamptz,
  -- Provisional Gold until the first payment, given once.
  provisional_until timestamptz,
  cancelled_at timestamptz,
  ended_by text check (ended_by in ('person', 'provider', 'refund', 'replaced', 'duplicate_payment', 'mismatch', 'admin')),
  unique (provider, external_id),
  constraint checkouts_began_at_check check ((status is null) = (began_at is null)),
  constraint checkouts_next_billing_date_check check (plan_type <> 'lifetime' or next_billing_date is null),
  constraint checkouts_cancelled_at_check check ((status is not distinct from 'cancelled') = (cancelled_at is not null)),
  constraint checkouts_ended_by_required_check check ((cancelled_at is null) = (ended_by is null))
);
-- No psychologist has two active memberships at a time.
create unique index checkouts_one_active_key on checkouts (psychologist_id) where status = 'active';
create index checkouts_psychologist_idx on checkouts (psychologist_id, created_at desc);
create index checkouts_due_idx on checkouts (provider, due_at) where due_at is not null;

-- Memberships: the checkouts that became one.
create view subscriptions as
  select id, psychologist_id, provider, external_id as external_subscription_id, plan_type, amount, currency, status,
    next_billing_date, cancelled_at, ended_by, began_at as created_at
  from checkouts where status is not null;

alter table psychologist_profiles
  add constraint psychologist_profiles_subscription_fkey foreign key (subscription_id) references checkouts (id) on delete set null;

-- Payments are never deleted together with other rows.
create table payment_transactions (
  id uuid primary key default gen_random_uuid(),
  subscription_id uuid not null references checkouts (id) on delete restrict,
  provider text not null check (provider in ('paypal', 'mercadopago', 'test')),
  external_payment_id text not null,
  amount integer not null check (amount > 0),
  currency text not null check (currency in ('USD', 'ARS')),
  status text not null check (status in ('pending', 'completed', 'failed', 'partially_refunded', 'refunded', 'reversed')),
  -- Null after a partial refund of an unknown amount.
  refunded_amount integer default 0,
  dispute text check (dispute in ('open', 'won', 'lost')),
  external_dispute_id text,
  paid_at timestamptz not null default now(),
  -- Time of this state by the provider's clock.
  provider_updated_at timestamptz,
  created_at timestamptz not null default now(),
  constraint payment_transactions_external_key unique (provider, external_payment_id),
  constraint payment_transactions_refunded_amount_check check (refunded_amount between 0 and amount),
  constraint payment_transactions_external_dispute_id_check check ((dispute is null) = (external_dispute_id is null))
);
create index payment_transactions_subscription_idx on payment_transactions (subscription_id);

-- Events of the providers, each once: hints of a reading. They contain the id of their subject, never their content.
create table webhook_events (
  provider text not null check (provider in ('paypal', 'mercadopago')),
  event_id text not null,
  resource_type text not null,
  resource_id text not null,
  -- Null until it is found.
  checkout_id uuid references checkouts (id) on delete cascade,
  received_at timestamptz not null,
  done_at timestamptz,
  -- Time of the next search for its checkout; null for at once.
  due_at timestamptz,
  primary key (provider, event_id)
);
create index webhook_events_open_idx on webhook_events (provider, received_at) where done_at is null;
create index webhook_events_checkout_idx on webhook_events (checkout_id);

create table payment_sweeps (
  provider text primary key check (provider in ('paypal', 'mercadopago')),
  -- Time until which the provider's own list of its events was read, or null.
  events_synced_until timestamptz,
  -- Time until which the provider requested a pause (Retry-After), or null.
  paused_until timestamptz
);

-- Problems for the administrator. Gold does not depend on these rows.
create table payment_problems (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('mismatch', 'unmatched', 'duplicate_payment', 'partial_refund', 'previous_period_refund', 'dispute', 'chargeback', 'reversal', 'payment_after_end', 'unreadable', 'cancellation_unconfirmed', 'unreachable')),
  provider text not null check (provider in ('paypal', 'mercadopago', 'test')),
  -- The provider's id of a subscription, a payment, or the subject of an event.
  external_id text not null,
  -- The checkout of the problem, or null if unknown.
  checkout_id uuid references checkouts (id) on delete cascade,
  reason text,
  created_at timestamptz(3) not null,
  -- The problem ended by itself, such as a decided dispute.
  settled_at timestamptz(3),
  handled_at timestamptz(3),
  unique (kind, provider, external_id)
);
create index payment_problems_open_idx on payment_problems (created_at, id) where settled_at is null and handled_at is null;
create index payment_problems_checkout_idx on payment_problems (checkout_id);

-- Gold that the administrator grants without a payment. An extension ends one grant and begins another, so each row has
-- its reason and its administrator.
create table gold_grants (
  id uuid primary key default gen_random_uuid(),
  psychologist_id uuid not null references psychologist_profiles (id) on delete cascade,
  starts_at timestamptz(3) not null,
  -- Null without an end.
  ends_at timestamptz(3),
  reason text not null,
  granted_by uuid references profiles (id) on delete set null,
  -- Ended by hand, or extended by another grant.
  ended_at timestamptz(3),
  ended_by uuid references profiles (id) on delete set null,
  constraint gold_grants_ends_at_check check (ends_at > starts_at),
  constraint gold_grants_ended_at_check check (ended_by is null or ended_at is not null)
);
create index gold_grants_psychologist_idx on gold_grants (psychologist_id, starts_at desc);
create index gold_grants_granted_by_idx on gold_grants (granted_by);
create index gold_grants_ended_by_idx on gold_grants (ended_by);

-- Events of the plans screen, by the hour and without ids, so that they identify no person.
create table analytics_events (
  name text not null check (name in ('view_premium_plans', 'plan_selection', 'subscription_success')),
  plan_type text check (plan_type in ('monthly', 'lifetime')),
  method text check (method in ('paypal', 'mercadopago')),
  happened_at timestamptz not null check (happened_at = date_trunc('hour', happened_at, 'UTC'))
);
create index analytics_events_happened_idx on analytics_events (happened_at);

-- OPERATION

-- Actions of the administrator. Rows never change.
create table audit_log (
  id uuid primary key default gen_random_uuid(),
  actor_id uuid references profiles (id) on delete set null,
  action text not null,
  target_id uuid,
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index audit_log_newest_idx on audit_log (created_at desc);
create index audit_log_actor_idx on audit_log (actor_id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  -- The only allowed change: the foreign key sets the actor of a deleted account to null.
  if tg_op = 'UPDATE' and new.actor_id is null and row(new.id, new.action, new.target_id, new.details, new.created_at) is not distinct from row(old.id, old.action, old.target_id, old.details, old.created_at) then
    return new;
  end if;
  raise exception 'audit_log is append-only';
end $$;
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();

-- Row triggers do not run for truncate.
create function refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only';
end $$;
create trigger audit_log_not_truncated before truncate on audit_log for each statement execute function refuse_truncate();

-- Messages of the contact form. They contain the typed text and whether a Gold member sent it, never an account's id.
create table contact_messages (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 2 and 80),
  email text not null,
  message text not null check (char_length(message) between 10 and 5000),
  from_gold boolean not null,
  created_at timestamptz(3) not null,
  handled_at timestamptz(3)
);
create index contact_messages_unhandled_idx on contact_messages (from_gold desc, created_at, id) where handled_at is null;
create index contact_messages_handled_idx on contact_messages (handled_at desc) where handled_at is not null;

-- Mails that the demo stores instead of sending them.
create table demo_mails (
  id uuid primary key default gen_random_uuid(),
  recipient text not null,
  subject text not null,
  text text not null,
  created_at timestamptz(3) not null default now()
);
create index demo_mails_newest_idx on demo_mails (created_at desc);

-- Mails allowed to a mailbox, stored for a day. The mailbox is a keyed hash.
create table mailbox_sends (
  -- Id of the mail: a retry counts once.
  id uuid primary key,
  mailbox bytea not null,
  kind text not null,
  allowed_at timestamptz not null
);
create index mailbox_sends_mailbox_idx on mailbox_sends (mailbox, kind, allowed_at);
create index mailbox_sends_allowed_idx on mailbox_sends (allowed_at);

-- Time of the next mail of a kind at the steady pace, shared by all nodes.
create table mail_throttle (
  kind text primary key,
  next_at timestamptz not null
);

-- Points spent against rate limits.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire_idx on rate_limits (expire);

-- Items that presses of forms created, so that a repetition of a press creates no second item (docs/decisions/0016).
create table presses (
  -- Keyed hash of the operation, the author, the form's key and its fields: the row identifies no user.
  mark text primary key,
  -- Null until the transaction of the press ends. No foreign key, because a repetition also finds an item that was
  -- deleted since.
  made_id uuid,
  created_at timestamptz(3) not null
);
create index presses_created_idx on presses (created_at);

-- NUMBERS OF THE COMMUNITY

-- The community's numbers without counting tables. Each statement adds to one of the rows that no other transaction has
-- locked. If all 64 are locked, it adds a row. So writers never wait for each other.
create table community_counts (
  id uuid primary key default gen_random_uuid(),
  consultations integer not null default 0,
  answers integer not null default 0,
  psychologists integer not null default 0,
  verified_psychologists integer not null default 0
) with (fillfactor = 50);
insert into community_counts select from generate_series(1, 64);

create function add_to_community(of_consultations integer, of_answers integer, of_psychologists integer, of_verified integer)
  returns void language plpgsql as $$
declare
  free uuid;
begin
  select id into free from community_counts limit 1 for update skip locked;
  if not found then
    insert into community_counts default values returning id into free;
  end if;
  update community_counts set
    consultations = consultations + of_consultations,
    answers = answers + of_answers,
    psychologists = psychologists + of_psychologists,
    verified_psychologists = verified_psychologists + of_verified
    where id = free;
end $$;

create function count_for_community() returns trigger language plpgsql as $$
declare
  change constant integer := (select count(*) from changed) * case tg_op when 'INSERT' then 1 else -1 end;
begin
  if change <> 0 and tg_table_name = 'consultations' then
    perform add_to_community(change, 0, 0, 0);
  elsif change <> 0 then
    perform add_to_community(0, change, 0, 0);
  end if;
  return null;
end $$;

create function count_psychologist_for_community() returns trigger language plpgsql as $$
begin
  perform add_to_community(0, 0, (tg_op = 'INSERT')::integer - (tg_op = 'DELETE')::integer,
    (new.verified_at is not null)::integer - (old.verified_at is not null)::integer);
  return null;
end $$;

create trigger count_added after insert on consultations
  referencing new table as changed for each statement execute function count_for_community();
create trigger count_deleted after delete on consultations
  referencing old table as changed for each statement execute function count_for_community();
create trigger count_added after insert on consultation_responses
  referencing new table as changed for each statement execute function count_for_community();
create trigger count_deleted after delete on consultation_responses
  referencing old table as changed for each statement execute function count_for_community();
create trigger count_for_community after insert or delete or update of verified_at on psychologist_profiles
  for each row execute function count_psychologist_for_community();

-- NOTIFICATIONS OF CHANGES

-- Notifies the page caches of all processes (docs/decisions/0006). A notification is a list of tags, separated by
-- spaces. "!id": no page with this item may be sent any more. Another tag: pages that depend on it may be 1 s old.
create function announce(variadic tags text[]) returns void language sql as
$$ select pg_notify('page_changes', array_to_string(tags, ' ')) $$;

create function announce_consultation() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform announce('lists');
  elsif tg_op = 'DELETE' then
    perform announce('!' || old.id, 'lists');
  elsif (new.title, new.content, new.country, new.category, new.is_anonymous, new.author_name, new.edited_at,
        new.noindex)
      is distinct from (old.title, old.content, old.country, old.category, old.is_anonymous, old.author_name, old.edited_at,
        old.noindex)
      or (not new.is_anonymous and new.user_id is distinct from old.user_id) then
    perform announce('!' || new.id, 'lists');
  elsif (new.upvotes, new.downvotes, new.response_count) <> (old.upvotes, old.downvotes, old.response_count) then
    perform announce(new.id::text, 'lists');
  end if;
  return null;
end $$;
create trigger announce after insert or update or delete on consultations
  for each row execute function announce_consultation();

create function announce_answer() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform announce(new.consultation_id::text, new.psychologist_id::text, 'lists');
  elsif tg_op = 'DELETE' then
    perform announce('!' || old.id, old.consultation_id::text, old.psychologist_id::text, 'lists');
  elsif (new.content, new.edited_at) is distinct from (old.content, old.edited_at) then
    perform announce('!' || new.id);
  -- Not if only `news_at` changed: no page shows it.
  elsif (new.upvotes, new.downvotes, new.reply_count) <> (old.upvotes, old.downvotes, old.reply_count) then
    perform announce(new.consultation_id::text, new.psychologist_id::text);
  end if;
  return null;
end $$;
create trigger announce after insert or update or delete on consultation_responses
  for each row execute function announce_answer();

-- A new reply changes the number of replies of its answer, whose trigger announces it.
create function announce_reply() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (new.content, new.edited_at) is distinct from (old.content, old.edited_at) then
    perform announce('!' || old.id);
  end if;
  return null;
end $$;
create trigger announce after update or delete on consultation_replies
  for each row execute function announce_reply();

create function announce_review() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform announce(new.psychologist_id::text);
  elsif tg_op = 'DELETE'
      or (new.rating, new.comment, new.show_name, new.edited_at)
        is distinct from (old.rating, old.comment, old.show_name, old.edited_at)
      or (new.show_name and new.user_id is distinct from old.user_id) then
    perform announce('!' || old.id, old.psychologist_id::text);
  end if;
  return null;
end $$;
create trigger announce after insert or update or delete on psychologist_reviews
  for each row execute function announce_review();

create function announce_psychologist() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform announce('lists');
  elsif tg_op = 'DELETE' then
    perform announce('!' || old.id, 'lists');
  elsif (new.specialty, new.license_number, new.country, new.bio, new.phone, new.whatsapp, new.website, new.verified_at,
        new.gold_until)
      is distinct from (old.specialty, old.license_number, old.country, old.bio, old.phone, old.whatsapp, old.website,
        old.verified_at, old.gold_until) then
    perform announce('!' || new.id, 'lists');
  elsif (new.rating, new.total_reviews) is distinct from (old.rating, old.total_reviews) then
    perform announce(new.id::text, 'card:' || new.id, 'lists');
  elsif (new.total_responses, new.total_votes) <> (old.total_responses, old.total_votes) then
    perform announce(new.id::text, 'lists');
  end if;
  return null;
end $$;
create trigger announce after insert or update or delete on psychologist_profiles
  for each row execute function announce_psychologist();

-- A name appears on its consultations and reviews, unless they are anonymous or have another name.
create function announce_person() returns trigger language plpgsql as $$
begin
  perform announce('!' || new.id);
  perform announce('!' || id) from consultations
    where user_id = new.id and not is_anonymous and author_name is null;
  perform announce('!' || id) from psychologist_reviews where user_id = new.id and show_name;
  return null;
end $$;
create trigger announce after update of full_name, avatar_url on profiles
  for each row when ((new.full_name, new.avatar_url) is distinct from (old.full_name, old.avatar_url))
  execute function announce_person();

-- NOTIFICATIONS

-- Computed from the rows themselves, so that a deleted text leaves no notification. `id` is the row's. `news_at`
-- is never before `created_at`. For a psychologist's answers it has an index, which the planner uses if both bounds are
-- given, because then it expects few rows.
create view notifications as
  select c.user_id as profile_id, 'answer' as kind, r.id, r.created_at, 'infinity'::timestamptz as news_at,
      r.consultation_id, r.id as response_id, 1 as people
    from consultations c join consultation_responses r on r.consultation_id = c.id
  union all
  select c.user_id, 'reply_to_consultation', reply.id, reply.created_at, 'infinity', r.consultation_id, r.id, 1
    from consultations c join consultation_responses r on r.consultation_id = c.id
      join consultation_replies reply on reply.response_id = r.id
    where r.reply_count > 0 and reply.user_id is distinct from c.user_id
  union all
  select r.psychologist_id, 'reply', reply.id, reply.created_at, r.news_at, r.consultation_id, r.id, 1
    from consultation_responses r join consultation_replies reply on reply.response_id = r.id
    where r.reply_count > 0
  union all
  -- Not grouped, so that a count up to a limit stops early.
  select r.psychologist_id, 'thanked', r.id, thanks.newest, r.news_at, r.consultation_id, r.id, thanks.people
    from consultation_responses r cross join lateral (select max(created_at) as newest, count(*)::integer as people
      from response_thanks where response_id = r.id) thanks
    where r.news_at is not null and thanks.people > 0
  union all
  select id, 'verified', id, verified_at, 'infinity', null, null, 1 from psychologist_profiles where verified_at is not null
  union all
  select id, 'rejected', id, rejected_at, 'infinity', null, null, 1 from psychologist_profiles
    where rejected_at is not null and verified_at is null
  union all
  select s.psychologist_id, 'charged', t.id, t.created_at, 'infinity', null, null, 1
    from subscriptions s join payment_transactions t on t.subscription_id = s.id where t.status = 'completed'
  union all
  select s.psychologist_id, 'payment_failed', t.id, t.created_at, 'infinity', null, null, 1
    from subscriptions s join payment_transactions t on t.subscription_id = s.id
    where t.status = 'failed' and not exists (select from payment_transactions later
      where later.subscription_id = s.id and later.status = 'completed' and later.paid_at > t.paid_at)
  union all
  -- A renewal that is overdue without a failed payment: at once if suspended, else after the grace period.
  select s.psychologist_id, 'payment_failed', s.id, due.at, 'infinity', null, null, 1
    from checkouts s
    cross join lateral (select case s.state when 'suspended' then greatest(s.next_billing_date, s.provider_updated_at)
      when 'active' then s.next_billing_date + interval '3 days' end as at) due
    where s.status = 'active' and s.provider <> 'test' and due.at <= now() and not exists (select from payment_transactions failed
      where failed.subscription_id = s.id and failed.status = 'failed' and failed.paid_at > s.next_billing_date - interval '1 day')
  union all
  select s.psychologist_id, 'membership_ended', s.id, s.cancelled_at, 'infinity', null, null, 1
    from subscriptions s where s.cancelled_at is not null and s.ended_by not in ('replaced', 'duplicate_payment', 'mismatch');

-- PUBLIC DATA

-- The public side of the server uses the role divan_public, which can read only these views. They do not contain the
-- author of an anonymous item, and reading their tables fails with 42501. (Plain views, because security_barrier turns
-- index scans into sequential ones.)
do $$
begin
  if not exists (select from pg_roles where rolname = 'divan_public') then
    create role divan_public nologin;
  end if;
-- Another database of this server created it concurrently.
exception when duplicate_object or unique_violation then null;
end $$;

create schema visible;

create view visible.psychologists as
  select p.id, p.specialty, p.license_number, p.country, p.bio, p.phone, p.whatsapp, p.website, p.is_verified, p.rating::float8 as rating,
    p.total_reviews, p.total_responses, p.gold_until, person.full_name, person.avatar_url
  from psychologist_profiles p join profiles person on person.id = p.id;

create view visible.verified_psychologists as
  select id, country, rating::float8 as rating, gold_until, total_reviews, total_responses, verified_at
  from psychologist_profiles where is_verified;

-- The author is looked up only for a named consultation that shows the name. A join made every scan read the table.
create view visible.consultations as
  select c.id, c.title, c.content, c.country, c.category, c.is_anonymous,
    case when not c.is_anonymous
      then coalesce(c.author_name, (select author.full_name from profiles author where author.id = c.user_id))
    end as author_label,
    c.upvotes, c.downvotes, c.score, c.response_count, c.created_at, c.edited_at, c.noindex
  from consultations c;

create view visible.consultation_search as
  select consultation_id, created_at, country, category, answered, document, title_words from consultation_search;

create view visible.answers as
  select r.id, r.consultation_id, r.psychologist_id, r.content, r.upvotes, r.downvotes, r.votes, r.created_at, r.edited_at, r.reply_count
  from consultation_responses r;

create view visible.replies as
  select r.id, r.response_id, r.content, r.created_at, r.edited_at from consultation_replies r;

create view visible.reviews as
  select r.id, r.psychologist_id, r.rating, r.comment, r.created_at, r.edited_at,
    case when r.show_name then person.full_name end as author_label,
    coalesce(person.user_type = 'psychologist', r.by_colleague) as by_colleague
  from psychologist_reviews r left join profiles person on person.id = r.user_id;

create view visible.deleted_items as select id from deleted_items;

create view visible.community_numbers as
  select sum(consultations)::integer as consultations, sum(verified_psychologists)::integer as psychologists,
    sum(answers)::integer as answers
  from community_counts;

grant usage on schema visible to divan_public;
grant select on all tables in schema visible to divan_public;
revoke all on schema public from divan_public;
do $$ begin execute format('grant divan_public to %I', current_user); end $$;
