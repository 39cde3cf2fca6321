-- For reading: what the migrations amount to. Written by scripts/generate-schema.ts; never run.

create table accounts (
  id uuid not null,
  password_hash text not null,
  password_changed_at timestamp with time zone not null default now(),
  email_verified_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_id_fkey FOREIGN KEY (id) REFERENCES profiles(id) ON DELETE CASCADE
);

create table analytics_events (
  name text not null,
  plan_type text,
  method text,
  happened_at timestamp with time zone not null,
  constraint analytics_events_happened_at_check CHECK ((happened_at = date_trunc('hour'::text, happened_at, 'UTC'::text))),
  constraint analytics_events_method_check CHECK ((method = ANY (ARRAY['paypal'::text, 'mercadopago'::text]))),
  constraint analytics_events_name_check CHECK ((name = ANY (ARRAY['view_premium_plans'::text, 'plan_selection'::text, 'subscription_success'::text]))),
  constraint analytics_events_plan_type_check CHECK ((plan_type = ANY (ARRAY['monthly'::text, 'lifetime'::text])))
);
CREATE INDEX analytics_events_happened_idx ON public.analytics_events USING btree (happened_at);

create table audit_log (
  id uuid not null default gen_random_uuid(),
  actor_id uuid,
  action text not null,
  target_id uuid,
  details jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES profiles(id) ON DELETE SET NULL
);
CREATE INDEX audit_log_actor_idx ON public.audit_log USING btree (actor_id);
CREATE INDEX audit_log_newest_idx ON public.audit_log USING btree (created_at DESC);

create table checkouts (
  id uuid not null default gen_random_uuid(),
  psychologist_id uuid,
  provider text not null,
  method text not null,
  external_id text,
  plan_type text not null,
  amount integer not null,
  currency text not null,
  created_at timestamp with time zone not null,
  approval_url text,
  payer_email text,
  read_at timestamp with time zone,
  provider_plan_id text,
  owner_confirmed_at timestamp with time zone,
  returned_at timestamp with time zone,
  state text not null default 'pending'::text,
  provider_updated_at timestamp with time zone,
  due_at timestamp with time zone,
  failures integer not null default 0,
  failing_since timestamp with time zone,
  end_wanted_at timestamp with time zone,
  end_confirmed_at timestamp with time zone,
  constraint checkouts_pkey PRIMARY KEY (id),
  constraint checkouts_amount_check CHECK ((amount > 0)),
  constraint checkouts_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'ARS'::text]))),
  constraint checkouts_method_check CHECK ((method = ANY (ARRAY['paypal'::text, 'mercadopago'::text]))),
  constraint checkouts_plan_type_check CHECK ((plan_type = ANY (ARRAY['monthly'::text, 'lifetime'::text]))),
  constraint checkouts_provider_check CHECK ((provider = ANY (ARRAY['paypal'::text, 'mercadopago'::text, 'test'::text]))),
  constraint checkouts_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'paying'::text, 'active'::text, 'suspended'::text, 'cancelled'::text, 'expired'::text, 'failed'::text, 'gone'::text]))),
  constraint checkouts_psychologist_id_fkey FOREIGN KEY (psychologist_id) REFERENCES psychologist_profiles(id) ON DELETE SET NULL,
  constraint checkouts_provider_external_id_key UNIQUE (provider, external_id)
);
CREATE INDEX checkouts_due_idx ON public.checkouts USING btree (provider, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX checkouts_psychologist_idx ON public.checkouts USING btree (psychologist_id, created_at DESC);

create table community_counts (
  shard smallint not null,
  consultations integer not null default 0,
  answers integer not null default 0,
  psychologists integer not null default 0,
  verified_psychologists integer not null default 0,
  constraint community_counts_pkey PRIMARY KEY (shard)
);

create table consents (
  id uuid not null default gen_random_uuid(),
  profile_id uuid not null,
  kind text not null,
  version text not null,
  accepted_at timestamp with time zone not null,
  withdrawn_at timestamp with time zone,
  constraint consents_pkey PRIMARY KEY (id),
  constraint consents_kind_check CHECK ((kind = ANY (ARRAY['adult_or_guardian'::text, 'health_data'::text, 'professional_data'::text, 'transfer_abroad'::text]))),
  constraint consents_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE CASCADE
);
CREATE INDEX consents_profile_idx ON public.consents USING btree (profile_id);
CREATE UNIQUE INDEX consents_given_key ON public.consents USING btree (profile_id, kind, version) WHERE (withdrawn_at IS NULL);

create table consultation_replies (
  id uuid not null default gen_random_uuid(),
  response_id uuid not null,
  user_id uuid,
  content text not null,
  created_at timestamp(3) with time zone not null default now(),
  edited_at timestamp(3) with time zone,
  delete_at timestamp(3) with time zone,
  rewrite_at timestamp(3) with time zone,
  constraint consultation_replies_pkey PRIMARY KEY (id),
  constraint consultation_replies_anonymised_has_no_owner CHECK (((num_nonnulls(delete_at, rewrite_at) = 0) OR ((user_id IS NULL) AND (num_nonnulls(delete_at, rewrite_at) = 1)))),
  constraint consultation_replies_content_check CHECK (((char_length(content) >= 2) AND (char_length(content) <= 5000))),
  constraint consultation_replies_response_id_fkey FOREIGN KEY (response_id) REFERENCES consultation_responses(id) ON DELETE CASCADE,
  constraint consultation_replies_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL
);
CREATE INDEX consultation_replies_anonymised_due_idx ON public.consultation_replies USING btree (COALESCE(delete_at, rewrite_at)) WHERE ((delete_at IS NOT NULL) OR (rewrite_at IS NOT NULL));
CREATE INDEX consultation_replies_response_idx ON public.consultation_replies USING btree (response_id, created_at, id);
CREATE INDEX consultation_replies_user_idx ON public.consultation_replies USING btree (user_id, response_id, created_at DESC, id DESC);

create table consultation_responses (
  id uuid not null default gen_random_uuid(),
  consultation_id uuid not null,
  psychologist_id uuid not null,
  content text not null,
  upvotes integer not null default 0,
  downvotes integer not null default 0,
  votes integer not null generated always as ((upvotes - downvotes)) stored,
  created_at timestamp(3) with time zone not null default now(),
  edited_at timestamp(3) with time zone,
  reply_count integer not null default 0,
  replies_seen_at timestamp(3) with time zone,
  constraint consultation_responses_pkey PRIMARY KEY (id),
  constraint consultation_responses_content_check CHECK (((char_length(content) >= 2) AND (char_length(content) <= 5000))),
  constraint consultation_responses_downvotes_check CHECK ((downvotes >= 0)),
  constraint consultation_responses_reply_count_check CHECK ((reply_count >= 0)),
  constraint consultation_responses_upvotes_check CHECK ((upvotes >= 0)),
  constraint consultation_responses_consultation_id_fkey FOREIGN KEY (consultation_id) REFERENCES consultations(id) ON DELETE CASCADE,
  constraint consultation_responses_psychologist_id_fkey FOREIGN KEY (psychologist_id) REFERENCES psychologist_profiles(id) ON DELETE RESTRICT
);
CREATE INDEX consultation_responses_consultation_idx ON public.consultation_responses USING btree (consultation_id, created_at DESC, id DESC);
CREATE INDEX consultation_responses_psychologist_idx ON public.consultation_responses USING btree (psychologist_id, created_at DESC, id DESC) INCLUDE (votes);
CREATE INDEX consultation_responses_votes_idx ON public.consultation_responses USING btree (consultation_id, votes DESC, created_at DESC, id DESC);

create table consultation_votes (
  id uuid not null default gen_random_uuid(),
  consultation_id uuid not null,
  user_id uuid,
  vote_type text not null,
  created_at timestamp with time zone not null default now(),
  constraint consultation_votes_pkey PRIMARY KEY (id),
  constraint consultation_votes_vote_type_check CHECK ((vote_type = ANY (ARRAY['up'::text, 'down'::text]))),
  constraint consultation_votes_consultation_id_fkey FOREIGN KEY (consultation_id) REFERENCES consultations(id) ON DELETE CASCADE,
  constraint consultation_votes_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint consultation_votes_consultation_id_user_id_key UNIQUE (consultation_id, user_id)
);
CREATE INDEX consultation_votes_user_idx ON public.consultation_votes USING btree (user_id);

create table consultations (
  id uuid not null default gen_random_uuid(),
  title text not null,
  content text not null,
  country text not null,
  category text,
  is_anonymous boolean not null,
  author_name text,
  user_id uuid,
  upvotes integer not null default 0,
  downvotes integer not null default 0,
  score integer not null generated always as ((upvotes - downvotes)) stored,
  response_count integer not null default 0,
  created_at timestamp(3) with time zone not null default now(),
  edited_at timestamp(3) with time zone,
  delete_at timestamp(3) with time zone,
  rewrite_at timestamp(3) with time zone,
  notify_on_answer boolean not null default false,
  answers_received integer not null default 0,
  answers_listed integer not null default 0,
  answers_seen integer not null default 0,
  answer_mail_id uuid,
  constraint consultations_pkey PRIMARY KEY (id),
  constraint consultations_anonymised_has_no_owner CHECK (((num_nonnulls(delete_at, rewrite_at) = 0) OR ((user_id IS NULL) AND (num_nonnulls(delete_at, rewrite_at) = 1)))),
  constraint consultations_anonymous_has_no_name CHECK (((NOT is_anonymous) OR (author_name IS NULL))),
  constraint consultations_answer_counters_check CHECK (((0 <= answers_seen) AND (answers_seen <= answers_listed) AND (answers_listed <= answers_received))),
  constraint consultations_author_name_check CHECK (((char_length(author_name) >= 2) AND (char_length(author_name) <= 80))),
  constraint consultations_category_check CHECK ((category = ANY (ARRAY['Ansiedad'::text, 'Depresión'::text, 'Estrés'::text, 'Relaciones'::text, 'Autoestima'::text, 'Duelo'::text, 'Trabajo/Estudio'::text, 'Familia'::text, 'Adicciones'::text, 'Otro/a'::text]))),
  constraint consultations_content_check CHECK (((char_length(content) >= 20) AND (char_length(content) <= 5000))),
  constraint consultations_country_check CHECK ((country = ANY (ARRAY['Argentina'::text, 'México'::text, 'España'::text, 'Colombia'::text, 'Chile'::text, 'Perú'::text, 'Venezuela'::text, 'Paraguay'::text, 'Uruguay'::text, 'Ecuador'::text, 'Panamá'::text]))),
  constraint consultations_downvotes_check CHECK ((downvotes >= 0)),
  constraint consultations_response_count_check CHECK ((response_count >= 0)),
  constraint consultations_title_check CHECK (((char_length(title) >= 5) AND (char_length(title) <= 140))),
  constraint consultations_upvotes_check CHECK ((upvotes >= 0)),
  constraint consultations_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL
);
CREATE INDEX consultations_anonymised_due_idx ON public.consultations USING btree (COALESCE(delete_at, rewrite_at)) WHERE ((delete_at IS NOT NULL) OR (rewrite_at IS NOT NULL));
CREATE INDEX consultations_category_recent_idx ON public.consultations USING btree (category, created_at DESC, id DESC);
CREATE INDEX consultations_category_responses_idx ON public.consultations USING btree (category, response_count DESC, created_at DESC, id DESC);
CREATE INDEX consultations_category_votes_idx ON public.consultations USING btree (category, score DESC, created_at DESC, id DESC);
CREATE INDEX consultations_country_category_recent_idx ON public.consultations USING btree (country, category, created_at DESC, id DESC);
CREATE INDEX consultations_country_category_responses_idx ON public.consultations USING btree (country, category, response_count DESC, created_at DESC, id DESC);
CREATE INDEX consultations_country_category_votes_idx ON public.consultations USING btree (country, category, score DESC, created_at DESC, id DESC);
CREATE INDEX consultations_country_recent_idx ON public.consultations USING btree (country, created_at DESC, id DESC);
CREATE INDEX consultations_country_responses_idx ON public.consultations USING btree (country, response_count DESC, created_at DESC, id DESC);
CREATE INDEX consultations_country_votes_idx ON public.consultations USING btree (country, score DESC, created_at DESC, id DESC);
CREATE INDEX consultations_recent_idx ON public.consultations USING btree (created_at DESC, id DESC);
CREATE INDEX consultations_responses_idx ON public.consultations USING btree (response_count DESC, created_at DESC, id DESC);
CREATE INDEX consultations_unanswered_idx ON public.consultations USING btree (country) WHERE (response_count = 0);
CREATE INDEX consultations_unlisted_answers_idx ON public.consultations USING btree (user_id) WHERE (answers_received > answers_listed);
CREATE INDEX consultations_user_idx ON public.consultations USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX consultations_votes_idx ON public.consultations USING btree (score DESC, created_at DESC, id DESC);

create table contact_messages (
  id uuid not null default gen_random_uuid(),
  name text not null,
  email text not null,
  message text not null,
  from_gold boolean not null,
  created_at timestamp(3) with time zone not null,
  handled_at timestamp(3) with time zone,
  constraint contact_messages_pkey PRIMARY KEY (id),
  constraint contact_messages_message_check CHECK (((char_length(message) >= 10) AND (char_length(message) <= 5000))),
  constraint contact_messages_name_check CHECK (((char_length(name) >= 2) AND (char_length(name) <= 80)))
);
CREATE INDEX contact_messages_handled_idx ON public.contact_messages USING btree (handled_at DESC) WHERE (handled_at IS NOT NULL);
CREATE INDEX contact_messages_unhandled_idx ON public.contact_messages USING btree (from_gold DESC, created_at, id) WHERE (handled_at IS NULL);

create table deleted_account_emails (
  id uuid not null,
  email text not null,
  created_at timestamp with time zone not null,
  constraint deleted_account_emails_pkey PRIMARY KEY (id)
);
CREATE INDEX deleted_account_emails_created_idx ON public.deleted_account_emails USING btree (created_at);

create table deleted_items (
  id uuid not null,
  kind text not null,
  deleted_at timestamp(3) with time zone not null,
  constraint deleted_items_pkey PRIMARY KEY (id),
  constraint deleted_items_kind_check CHECK ((kind = ANY (ARRAY['consultation'::text, 'answer'::text, 'reply'::text])))
);

create table deleted_replies (
  id uuid not null,
  response_id uuid not null,
  user_id uuid not null,
  created_at timestamp(3) with time zone not null,
  constraint deleted_replies_pkey PRIMARY KEY (id),
  constraint deleted_replies_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
CREATE INDEX deleted_replies_author_idx ON public.deleted_replies USING btree (user_id, response_id);
CREATE INDEX deleted_replies_created_idx ON public.deleted_replies USING btree (created_at);

create table demo_mails (
  id uuid not null default gen_random_uuid(),
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint demo_mails_pkey PRIMARY KEY (id)
);
CREATE INDEX demo_mails_newest_idx ON public.demo_mails USING btree (created_at DESC);

create table device_links (
  id uuid not null,
  email text not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint device_links_pkey PRIMARY KEY (id),
  constraint device_links_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX device_links_email_idx ON public.device_links USING btree (lower(email));
CREATE INDEX device_links_expires_idx ON public.device_links USING btree (expires_at);

create table email_changes (
  id uuid not null,
  account_id uuid not null,
  old_email text not null,
  new_email text not null,
  token_hash bytea not null,
  undo_hash bytea not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  mailed_at timestamp with time zone,
  constraint email_changes_pkey PRIMARY KEY (id),
  constraint email_changes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint email_changes_token_hash_key UNIQUE (token_hash),
  constraint email_changes_undo_hash_key UNIQUE (undo_hash)
);
CREATE INDEX email_changes_account_idx ON public.email_changes USING btree (account_id);
CREATE INDEX email_changes_expires_idx ON public.email_changes USING btree (expires_at);
CREATE UNIQUE INDEX email_changes_pending_key ON public.email_changes USING btree (account_id) WHERE (confirmed_at IS NULL);

create table gold_grants (
  id uuid not null default gen_random_uuid(),
  psychologist_id uuid not null,
  starts_at timestamp(3) with time zone not null,
  ends_at timestamp(3) with time zone,
  reason text not null,
  granted_by uuid,
  ended_at timestamp(3) with time zone,
  ended_by uuid,
  constraint gold_grants_pkey PRIMARY KEY (id),
  constraint gold_grants_ended_at_check CHECK (((ended_by IS NULL) OR (ended_at IS NOT NULL))),
  constraint gold_grants_ends_at_check CHECK ((ends_at > starts_at)),
  constraint gold_grants_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint gold_grants_granted_by_fkey FOREIGN KEY (granted_by) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint gold_grants_psychologist_id_fkey FOREIGN KEY (psychologist_id) REFERENCES psychologist_profiles(id) ON DELETE CASCADE
);
CREATE INDEX gold_grants_ended_by_idx ON public.gold_grants USING btree (ended_by);
CREATE INDEX gold_grants_granted_by_idx ON public.gold_grants USING btree (granted_by);
CREATE INDEX gold_grants_psychologist_idx ON public.gold_grants USING btree (psychologist_id, starts_at DESC);

create table known_device_attempts (
  key bytea not null,
  used integer not null,
  ends_at timestamp with time zone not null,
  wait_until timestamp with time zone,
  constraint known_device_attempts_pkey PRIMARY KEY (key)
);
CREATE INDEX known_device_attempts_ends_idx ON public.known_device_attempts USING btree (ends_at);

create table known_devices (
  account_id uuid not null,
  device_hash bytea not null,
  last_day date not null,
  position integer not null default 0,
  constraint known_devices_pkey PRIMARY KEY (account_id, device_hash),
  constraint known_devices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX known_devices_last_day_idx ON public.known_devices USING btree (last_day);

create table mail_preferences (
  profile_id uuid not null,
  answers boolean not null default true,
  link_id uuid not null,
  token_hash bytea not null,
  constraint mail_preferences_pkey PRIMARY KEY (profile_id),
  constraint mail_preferences_profile_id_fkey FOREIGN KEY (profile_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint mail_preferences_token_hash_key UNIQUE (token_hash)
);

create table mail_throttle (
  kind text not null,
  next_at timestamp with time zone not null,
  constraint mail_throttle_pkey PRIMARY KEY (kind)
);

create table mailbox_sends (
  id uuid not null,
  mailbox bytea not null,
  kind text not null,
  allowed_at timestamp with time zone not null,
  constraint mailbox_sends_pkey PRIMARY KEY (id)
);
CREATE INDEX mailbox_sends_allowed_idx ON public.mailbox_sends USING btree (allowed_at);
CREATE INDEX mailbox_sends_mailbox_idx ON public.mailbox_sends USING btree (mailbox, kind, allowed_at);

create table payment_problems (
  id uuid not null default gen_random_uuid(),
  kind text not null,
  provider text not null,
  external_id text not null,
  reason text,
  psychologist_id uuid,
  subscription_id uuid,
  created_at timestamp(3) with time zone not null,
  settled_at timestamp(3) with time zone,
  handled_at timestamp(3) with time zone,
  external_subscription_id text,
  constraint payment_problems_pkey PRIMARY KEY (id),
  constraint payment_problems_kind_check CHECK ((kind = ANY (ARRAY['mismatch'::text, 'unmatched'::text, 'duplicate_payment'::text, 'partial_refund'::text, 'previous_period_refund'::text, 'dispute'::text, 'chargeback'::text, 'reversal'::text, 'payment_after_end'::text, 'unreadable'::text, 'cancellation_unconfirmed'::text, 'unreachable'::text]))),
  constraint payment_problems_provider_check CHECK ((provider = ANY (ARRAY['paypal'::text, 'mercadopago'::text, 'test'::text]))),
  constraint payment_problems_psychologist_id_fkey FOREIGN KEY (psychologist_id) REFERENCES psychologist_profiles(id) ON DELETE SET NULL,
  constraint payment_problems_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions(id) ON DELETE SET NULL,
  constraint payment_problems_kind_provider_external_id_key UNIQUE (kind, provider, external_id)
);
CREATE INDEX payment_problems_agreement_idx ON public.payment_problems USING btree (provider, external_subscription_id) WHERE (settled_at IS NULL);
CREATE INDEX payment_problems_open_idx ON public.payment_problems USING btree (created_at, id) WHERE ((settled_at IS NULL) AND (handled_at IS NULL));
CREATE INDEX payment_problems_psychologist_idx ON public.payment_problems USING btree (psychologist_id);
CREATE INDEX payment_problems_subscription_idx ON public.payment_problems USING btree (subscription_id);

create table payment_sweeps (
  provider text not null,
  events_synced_until timestamp with time zone,
  paused_until timestamp with time zone,
  constraint payment_sweeps_pkey PRIMARY KEY (provider),
  constraint payment_sweeps_provider_check CHECK ((provider = ANY (ARRAY['paypal'::text, 'mercadopago'::text])))
);

create table payment_transactions (
  id uuid not null default gen_random_uuid(),
  subscription_id uuid not null,
  provider text not null,
  external_payment_id text not null,
  amount integer not null,
  currency text not null,
  status text not null,
  created_at timestamp with time zone not null default now(),
  refunded_amount integer default 0,
  dispute text,
  external_dispute_id text,
  paid_at timestamp with time zone not null default now(),
  provider_updated_at timestamp with time zone,
  constraint payment_transactions_pkey PRIMARY KEY (id),
  constraint payment_transactions_amount_check CHECK ((amount > 0)),
  constraint payment_transactions_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'ARS'::text]))),
  constraint payment_transactions_dispute_check CHECK ((dispute = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text]))),
  constraint payment_transactions_external_dispute_id_check CHECK (((dispute IS NULL) = (external_dispute_id IS NULL))),
  constraint payment_transactions_provider_check CHECK ((provider = ANY (ARRAY['paypal'::text, 'mercadopago'::text, 'test'::text]))),
  constraint payment_transactions_refunded_amount_check CHECK (((refunded_amount >= 0) AND (refunded_amount <= amount))),
  constraint payment_transactions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text, 'partially_refunded'::text, 'refunded'::text, 'reversed'::text]))),
  constraint payment_transactions_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions(id) ON DELETE RESTRICT,
  constraint payment_transactions_external_key UNIQUE (provider, external_payment_id)
);
CREATE INDEX payment_transactions_subscription_idx ON public.payment_transactions USING btree (subscription_id);

create table pending_registrations (
  id uuid not null,
  token_hash bytea not null,
  browser_hash bytea not null,
  email text not null,
  full_name text not null,
  password_hash text not null,
  user_type text not null,
  details jsonb not null default '{}'::jsonb,
  return_to text not null default '/'::text,
  consent_version text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  mailed_at timestamp with time zone,
  constraint pending_registrations_pkey PRIMARY KEY (id),
  constraint pending_registrations_user_type_check CHECK ((user_type = ANY (ARRAY['user'::text, 'psychologist'::text]))),
  constraint pending_registrations_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX pending_registrations_email_idx ON public.pending_registrations USING btree (lower(email), created_at DESC);
CREATE INDEX pending_registrations_expires_idx ON public.pending_registrations USING btree (expires_at);

create table presses (
  mark text not null,
  made_id uuid,
  created_at timestamp(3) with time zone not null,
  constraint presses_pkey PRIMARY KEY (mark)
);
CREATE INDEX presses_created_idx ON public.presses USING btree (created_at);

create table profile_view_counts (
  psychologist_id uuid not null,
  viewed_on date not null,
  views integer not null,
  constraint profile_view_counts_pkey PRIMARY KEY (psychologist_id, viewed_on),
  constraint profile_view_counts_views_check CHECK ((views > 0)),
  constraint profile_view_counts_psychologist_id_fkey FOREIGN KEY (psychologist_id) REFERENCES psychologist_profiles(id) ON DELETE CASCADE
);

create table profile_views (
  psychologist_id uuid not null,
  viewed_on date not null,
  viewer_hash bytea not null,
  constraint profile_views_pkey PRIMARY KEY (psychologist_id, viewed_on, viewer_hash),
  constraint profile_views_psychologist_id_fkey FOREIGN KEY (psychologist_id) REFERENCES psychologist_profiles(id) ON DELETE CASCADE
);
CREATE INDEX profile_views_day_idx ON public.profile_views USING btree (viewed_on);

create table profiles (
  id uuid not null default gen_random_uuid(),
  full_name text not null,
  email text not null,
  avatar_url text,
  user_type text not null,
  weekly_consultations_used integer not null default 0,
  weekly_window_started_at timestamp with time zone,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint profiles_pkey PRIMARY KEY (id),
  constraint profiles_full_name_check CHECK (((char_length(full_name) >= 2) AND (char_length(full_name) <= 80))),
  constraint profiles_user_type_check CHECK ((user_type = ANY (ARRAY['user'::text, 'psychologist'::text]))),
  constraint profiles_weekly_consultations_used_check CHECK ((weekly_consultations_used >= 0))
);
CREATE UNIQUE INDEX profiles_email_key ON public.profiles USING btree (lower(email));

create table psychologist_profiles (
  id uuid not null,
  specialty text,
  license_number text not null,
  country text,
  bio text,
  phone text,
  whatsapp text,
  website text,
  verified_at timestamp with time zone,
  rejected_at timestamp with time zone,
  is_verified boolean not null generated always as ((verified_at IS NOT NULL)) stored,
  rating numeric(2,1),
  total_reviews integer not null default 0,
  total_responses integer not null default 0,
  total_votes integer not null default 0,
  gold_until timestamp with time zone,
  subscription_id uuid,
  free_responses_used integer not null default 0,
  max_free_responses integer not null default 3,
  created_at timestamp(3) with time zone not null default now(),
  changed_since_check text[],
  constraint psychologist_profiles_pkey PRIMARY KEY (id),
  constraint psychologist_profiles_check CHECK ((free_responses_used <= max_free_responses)),
  constraint psychologist_profiles_country_check CHECK ((country = ANY (ARRAY['Argentina'::text, 'México'::text, 'España'::text, 'Colombia'::text, 'Chile'::text, 'Perú'::text, 'Venezuela'::text, 'Paraguay'::text, 'Uruguay'::text, 'Ecuador'::text, 'Panamá'::text]))),
  constraint psychologist_profiles_free_responses_used_check CHECK ((free_responses_used >= 0)),
  constraint psychologist_profiles_max_free_responses_check CHECK ((max_free_responses >= 0)),
  constraint psychologist_profiles_rating_check CHECK (((rating >= (1)::numeric) AND (rating <= (5)::numeric))),
  constraint psychologist_profiles_total_responses_check CHECK ((total_responses >= 0)),
  constraint psychologist_profiles_total_reviews_check CHECK ((total_reviews >= 0)),
  constraint psychologist_profiles_id_fkey FOREIGN KEY (id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint psychologist_profiles_subscription_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions(id) ON DELETE SET NULL
);
CREATE INDEX psychologist_profiles_country_newest_idx ON public.psychologist_profiles USING btree (country, created_at DESC, id DESC);
CREATE INDEX psychologist_profiles_country_ranking_idx ON public.psychologist_profiles USING btree (country, ((rating)::double precision) DESC NULLS LAST) WHERE is_verified;
CREATE INDEX psychologist_profiles_gold_newest_idx ON public.psychologist_profiles USING btree (created_at DESC, id DESC) WHERE (gold_until IS NOT NULL);
CREATE INDEX psychologist_profiles_newest_idx ON public.psychologist_profiles USING btree (created_at DESC, id DESC);
CREATE INDEX psychologist_profiles_pending_idx ON public.psychologist_profiles USING btree (created_at, id) WHERE (verified_at IS NULL);
CREATE INDEX psychologist_profiles_ranking_idx ON public.psychologist_profiles USING btree (((rating)::double precision) DESC NULLS LAST) WHERE is_verified;
CREATE INDEX psychologist_profiles_subscription_idx ON public.psychologist_profiles USING btree (subscription_id);
CREATE INDEX psychologist_profiles_verified_idx ON public.psychologist_profiles USING btree (verified_at);
CREATE INDEX psychologist_profiles_verified_newest_idx ON public.psychologist_profiles USING btree (created_at DESC, id DESC) WHERE (verified_at IS NOT NULL);

create table psychologist_reviews (
  id uuid not null default gen_random_uuid(),
  psychologist_id uuid not null,
  user_id uuid,
  rating integer not null,
  comment text,
  show_name boolean not null default false,
  created_at timestamp(3) with time zone not null default now(),
  edited_at timestamp(3) with time zone,
  by_colleague boolean not null default false,
  delete_at timestamp(3) with time zone,
  rewrite_at timestamp(3) with time zone,
  constraint psychologist_reviews_pkey PRIMARY KEY (id),
  constraint psychologist_reviews_anonymised_has_no_owner CHECK (((num_nonnulls(delete_at, rewrite_at) = 0) OR ((user_id IS NULL) AND (num_nonnulls(delete_at, rewrite_at) = 1)))),
  constraint psychologist_reviews_comment_check CHECK ((char_length(comment) <= 1000)),
  constraint psychologist_reviews_no_self_review CHECK ((psychologist_id <> user_id)),
  constraint psychologist_reviews_rating_check CHECK (((rating >= 1) AND (rating <= 5))),
  constraint psychologist_reviews_psychologist_id_fkey FOREIGN KEY (psychologist_id) REFERENCES psychologist_profiles(id) ON DELETE CASCADE,
  constraint psychologist_reviews_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint psychologist_reviews_psychologist_id_user_id_key UNIQUE (psychologist_id, user_id)
);
CREATE INDEX psychologist_reviews_anonymised_due_idx ON public.psychologist_reviews USING btree (COALESCE(delete_at, rewrite_at)) WHERE ((delete_at IS NOT NULL) OR (rewrite_at IS NOT NULL));
CREATE INDEX psychologist_reviews_newest_idx ON public.psychologist_reviews USING btree (psychologist_id, created_at DESC, id DESC);
CREATE INDEX psychologist_reviews_user_idx ON public.psychologist_reviews USING btree (user_id);

create table rate_limits (
  key character varying(255) not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_limits_expire_idx ON public.rate_limits USING btree (expire);

create table recovery_codes (
  account_id uuid not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (account_id, code_hash),
  constraint recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES second_factors(account_id) ON DELETE CASCADE
);

create table recovery_requests (
  id uuid not null,
  email text not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  mailed_at timestamp with time zone,
  constraint recovery_requests_pkey PRIMARY KEY (id),
  constraint recovery_requests_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX recovery_requests_email_idx ON public.recovery_requests USING btree (lower(email));
CREATE INDEX recovery_requests_expires_idx ON public.recovery_requests USING btree (expires_at);

create table removed_consultations (
  decision_id uuid not null,
  consultation_id uuid not null,
  credit_window timestamp with time zone,
  removed_at timestamp(3) with time zone not null,
  constraint removed_consultations_pkey PRIMARY KEY (decision_id),
  constraint removed_consultations_consultation_id_key UNIQUE (consultation_id)
);
CREATE INDEX removed_consultations_age_idx ON public.removed_consultations USING btree (removed_at);

create table removed_rows (
  source text not null,
  id uuid not null,
  consultation_id uuid not null,
  author_id uuid,
  data jsonb not null,
  constraint removed_rows_pkey PRIMARY KEY (source, id),
  constraint removed_rows_source_check CHECK ((source = ANY (ARRAY['consultations'::text, 'consultation_votes'::text, 'consultation_responses'::text, 'response_votes'::text, 'consultation_replies'::text]))),
  constraint removed_rows_consultation_id_fkey FOREIGN KEY (consultation_id) REFERENCES removed_consultations(consultation_id) ON DELETE CASCADE
);
CREATE INDEX removed_rows_author_idx ON public.removed_rows USING btree (author_id);
CREATE INDEX removed_rows_consultation_idx ON public.removed_rows USING btree (consultation_id);

create table response_votes (
  id uuid not null default gen_random_uuid(),
  response_id uuid not null,
  user_id uuid,
  vote_type text not null,
  created_at timestamp with time zone not null default now(),
  constraint response_votes_pkey PRIMARY KEY (id),
  constraint response_votes_vote_type_check CHECK ((vote_type = ANY (ARRAY['up'::text, 'down'::text]))),
  constraint response_votes_response_id_fkey FOREIGN KEY (response_id) REFERENCES consultation_responses(id) ON DELETE CASCADE,
  constraint response_votes_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint response_votes_response_id_user_id_key UNIQUE (response_id, user_id)
);
CREATE INDEX response_votes_user_idx ON public.response_votes USING btree (user_id);

create table second_factors (
  account_id uuid not null,
  secret bytea not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  used_step bigint not null default 0,
  constraint second_factors_pkey PRIMARY KEY (account_id),
  constraint second_factors_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table sessions (
  id uuid not null,
  account_id uuid not null,
  secret_hash bytea not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  device text,
  password_at timestamp with time zone,
  second_factor_at timestamp with time zone,
  device_known boolean not null default false,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX sessions_account_idx ON public.sessions USING btree (account_id);
CREATE INDEX sessions_expires_idx ON public.sessions USING btree (expires_at);

create table sign_in_challenges (
  id uuid not null,
  account_id uuid not null,
  secret_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint sign_in_challenges_pkey PRIMARY KEY (id),
  constraint sign_in_challenges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX sign_in_challenges_account_idx ON public.sign_in_challenges USING btree (account_id);
CREATE INDEX sign_in_challenges_expires_idx ON public.sign_in_challenges USING btree (expires_at);

create table subscriptions (
  id uuid not null default gen_random_uuid(),
  psychologist_id uuid,
  provider text not null,
  external_subscription_id text not null,
  plan_type text not null,
  amount integer not null,
  currency text not null,
  status text not null,
  next_billing_date timestamp with time zone,
  cancelled_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  provider_next_billing_date timestamp with time zone,
  provisional_until timestamp with time zone,
  ended_by text,
  end_closed_at timestamp with time zone,
  checkout_id uuid not null,
  constraint subscriptions_pkey PRIMARY KEY (id),
  constraint subscriptions_amount_check CHECK ((amount > 0)),
  constraint subscriptions_cancelled_at_check CHECK (((status = 'cancelled'::text) = (cancelled_at IS NOT NULL))),
  constraint subscriptions_currency_check CHECK ((currency = ANY (ARRAY['USD'::text, 'ARS'::text]))),
  constraint subscriptions_ended_by_check CHECK ((ended_by = ANY (ARRAY['person'::text, 'provider'::text, 'refund'::text, 'replaced'::text, 'duplicate_payment'::text, 'mismatch'::text, 'admin'::text]))),
  constraint subscriptions_ended_by_required_check CHECK (((status = 'cancelled'::text) = (ended_by IS NOT NULL))),
  constraint subscriptions_next_billing_date_check CHECK (((plan_type <> 'lifetime'::text) OR (next_billing_date IS NULL))),
  constraint subscriptions_plan_type_check CHECK ((plan_type = ANY (ARRAY['monthly'::text, 'lifetime'::text]))),
  constraint subscriptions_provider_check CHECK ((provider = ANY (ARRAY['paypal'::text, 'mercadopago'::text, 'test'::text]))),
  constraint subscriptions_status_check CHECK ((status = ANY (ARRAY['active'::text, 'cancelled'::text]))),
  constraint subscriptions_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts(id),
  constraint subscriptions_psychologist_id_fkey FOREIGN KEY (psychologist_id) REFERENCES psychologist_profiles(id) ON DELETE SET NULL,
  constraint subscriptions_checkout_key UNIQUE (checkout_id),
  constraint subscriptions_external_key UNIQUE (provider, external_subscription_id)
);
CREATE INDEX subscriptions_psychologist_idx ON public.subscriptions USING btree (psychologist_id, created_at DESC);
CREATE UNIQUE INDEX subscriptions_one_active_key ON public.subscriptions USING btree (psychologist_id) WHERE (status = 'active'::text);

create table unknown_device_attempts (
  key bytea not null,
  hour timestamp with time zone not null,
  hour_used integer not null,
  day date not null,
  day_used integer not null,
  mailed_on date,
  constraint unknown_device_attempts_pkey PRIMARY KEY (key)
);
CREATE INDEX unknown_device_attempts_day_idx ON public.unknown_device_attempts USING btree (day);

create table webhook_events (
  provider text not null,
  event_id text not null,
  resource_type text not null,
  resource_id text not null,
  checkout_id uuid,
  received_at timestamp with time zone not null,
  done_at timestamp with time zone,
  attempts integer not null default 0,
  constraint webhook_events_pkey PRIMARY KEY (provider, event_id),
  constraint webhook_events_provider_check CHECK ((provider = ANY (ARRAY['paypal'::text, 'mercadopago'::text]))),
  constraint webhook_events_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts(id) ON DELETE CASCADE
);
CREATE INDEX webhook_events_checkout_idx ON public.webhook_events USING btree (checkout_id);
CREATE INDEX webhook_events_open_idx ON public.webhook_events USING btree (provider, received_at) WHERE (done_at IS NULL);

create view visible.answers as
 SELECT id,
    consultation_id,
    psychologist_id,
    content,
    upvotes,
    downvotes,
    votes,
    created_at,
    edited_at,
    reply_count
   FROM consultation_responses r;

create view visible.community_numbers as
 SELECT sum(consultations)::integer AS consultations,
    sum(verified_psychologists)::integer AS psychologists,
    sum(answers)::integer AS answers
   FROM community_counts;

create view visible.consultations as
 SELECT id,
    title,
    content,
    country,
    category,
    is_anonymous,
        CASE
            WHEN NOT is_anonymous THEN COALESCE(author_name, ( SELECT author.full_name
               FROM profiles author
              WHERE author.id = c.user_id))
            ELSE NULL::text
        END AS author_label,
    upvotes,
    downvotes,
    score,
    response_count,
    created_at,
    edited_at
   FROM consultations c;

create view visible.deleted_items as
 SELECT id,
    kind
   FROM deleted_items;

create view visible.psychologists as
 SELECT p.id,
    p.specialty,
    p.license_number,
    p.country,
    p.bio,
    p.phone,
    p.whatsapp,
    p.website,
    p.is_verified,
    p.rating::double precision AS rating,
    p.total_reviews,
    p.total_responses,
    p.total_votes,
    p.gold_until,
    p.created_at,
    person.full_name,
    person.avatar_url
   FROM psychologist_profiles p
     JOIN profiles person ON person.id = p.id;

create view visible.replies as
 SELECT id,
    response_id,
    content,
    created_at,
    edited_at
   FROM consultation_replies r;

create view visible.reviews as
 SELECT r.id,
    r.psychologist_id,
    r.rating,
    r.comment,
    r.created_at,
    r.edited_at,
        CASE
            WHEN r.show_name THEN person.full_name
            ELSE NULL::text
        END AS author_label,
    COALESCE(person.user_type = 'psychologist'::text, r.by_colleague) AS by_colleague
   FROM psychologist_reviews r
     LEFT JOIN profiles person ON person.id = r.user_id;

create view visible.verified_psychologists as
 SELECT id,
    country,
    rating::double precision AS rating,
    gold_until,
    total_reviews,
    total_responses,
    verified_at
   FROM psychologist_profiles
  WHERE is_verified;

grant select on visible.answers to divan_public;
grant select on visible.community_numbers to divan_public;
grant select on visible.consultations to divan_public;
grant select on visible.deleted_items to divan_public;
grant select on visible.psychologists to divan_public;
grant select on visible.replies to divan_public;
grant select on visible.reviews to divan_public;
grant select on visible.verified_psychologists to divan_public;
