-- Accounts, sign-in, and pending confirmations.

create table profiles (
  id uuid primary key default gen_random_uuid(),
  full_name text not null check (char_length(full_name) between 2 and 80),
  email text not null,
  avatar_url text,
  user_type text not null check (user_type in ('user', 'psychologist')),
  weekly_consultations_used integer not null default 0 check (weekly_consultations_used >= 0),
  weekly_window_started_at timestamptz,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index profiles_email_key on profiles (lower(email));

-- Secrets of an account, separate from the profile, so that reading a profile never reads them.
create table accounts (
  id uuid primary key references profiles (id) on delete cascade,
  password_hash text not null,
  password_changed_at timestamptz not null default now(),
  email_verified_at timestamptz not null,
  created_at timestamptz not null default now()
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
  expires_at timestamptz not null
);
create index pending_registrations_email_idx on pending_registrations (lower(email), created_at desc);
create index pending_registrations_expires_idx on pending_registrations (expires_at);

-- A recovery request is stored for every email. Only the mail depends on whether there is an account.
create table recovery_requests (
  id uuid primary key,
  email text not null,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index recovery_requests_email_key on recovery_requests (lower(email));
create index recovery_requests_expires_idx on recovery_requests (expires_at);

create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  secret_hash bytea not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_account_idx on sessions (account_id);
create index sessions_expires_idx on sessions (expires_at);

create table consents (
  id uuid primary key default gen_random_uuid(),
  profile_id uuid not null references profiles (id) on delete cascade,
  kind text not null check (kind in ('adult_or_guardian', 'health_data', 'transfer_abroad')),
  version text not null,
  accepted_at timestamptz not null,
  withdrawn_at timestamptz,
  unique (profile_id, kind, version)
);

