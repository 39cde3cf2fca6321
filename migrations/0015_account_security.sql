-- Sessions that users recognise, email changes, the second factor, consents with history, and remaining data of deleted
-- accounts.

alter table sessions
  -- Browser and system in words ("Firefox en Android"), read once when the session began. The User-Agent is not stored.
  add column device text,
  -- Time at which the password was last given in this session, or null.
  add column password_at timestamptz,
  -- Time at which a code of the second factor was given in this session, or null.
  add column second_factor_at timestamptz;

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
  -- Newest 30-second step whose code was used. Only later steps are accepted, so that a code works once.
  used_step bigint not null default 0
);

-- Each code works once: it is deleted when used. Hashed with a key of the application.
create table recovery_codes (
  account_id uuid not null references second_factors (account_id) on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

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
  expires_at timestamptz not null
);
create unique index email_changes_waiting_key on email_changes (account_id) where confirmed_at is null;
create index email_changes_account_idx on email_changes (account_id);
create index email_changes_expires_idx on email_changes (expires_at);

-- A consent may be withdrawn and given again. All times of both are stored.
alter table consents drop constraint consents_profile_id_kind_version_key;
create unique index consents_given_key on consents (profile_id, kind, version) where withdrawn_at is null;
create index consents_profile_idx on consents (profile_id);

-- Texts and votes without a name stay after the account is deleted, with a null author.
alter table consultation_votes alter column user_id drop not null, drop constraint consultation_votes_user_id_fkey;
alter table consultation_votes add foreign key (user_id) references profiles (id) on delete set null;
alter table response_votes alter column user_id drop not null, drop constraint response_votes_user_id_fkey;
alter table response_votes add foreign key (user_id) references profiles (id) on delete set null;
alter table psychologist_reviews
  alter column user_id drop not null,
  drop constraint psychologist_reviews_user_id_fkey,
  -- True for a psychologist's review whose author deleted the account.
  add column by_colleague boolean not null default false;
alter table psychologist_reviews add foreign key (user_id) references profiles (id) on delete set null;
create or replace view visible.reviews as
  select r.id, r.psychologist_id, r.rating, r.comment, r.created_at, r.edited_at,
    case when r.show_name then person.full_name end as author_label,
    coalesce(person.user_type = 'psychologist', r.by_colleague) as by_colleague
  from psychologist_reviews r left join profiles person on person.id = r.user_id;

-- Payments stay after the account is deleted.
alter table subscriptions alter column psychologist_id drop not null, drop constraint subscriptions_psychologist_id_fkey;
alter table subscriptions add foreign key (psychologist_id) references psychologist_profiles (id) on delete set null;

-- Recipient of the last mail of a deleted account; the row is deleted with the mail.
create table farewells (
  id uuid primary key,
  email text not null,
  created_at timestamptz not null
);
create index farewells_created_idx on farewells (created_at);
