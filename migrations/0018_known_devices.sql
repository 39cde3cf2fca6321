-- Browsers in which an account has signed in. An attacker who guesses passwords of an email uses up the attempts of
-- unknown browsers. The owner's browsers have separate attempts.

-- A browser stores a random value. The database stores its keyed hash for this account, so that two accounts in one
-- browser cannot be linked.
create table known_devices (
  account_id uuid not null references accounts (id) on delete cascade,
  mark bytea not null,
  -- Day on which this browser last signed in.
  last_day date not null,
  primary key (account_id, mark)
);
create index known_devices_last_day_idx on known_devices (last_day);

-- True if the session's browser is known. False for sessions that are older than known browsers.
alter table sessions add column device_known boolean not null default false;

-- Wrong passwords and codes of one known browser for one account, or in one session. The keys are keyed hashes.
create table device_attempts (
  key bytea primary key,
  used integer not null,
  -- Time of deletion.
  ends_at timestamptz not null,
  -- Time until which attempts are refused.
  wait_until timestamptz
);
create index device_attempts_ends_idx on device_attempts (ends_at);

-- Attempts of all unknown browsers together for one typed email, with or without an account.
create table stranger_attempts (
  key bytea primary key,
  hour timestamptz not null,
  hour_used integer not null,
  day date not null,
  day_used integer not null,
  -- Day for which the mail about it was queued.
  mailed_on date
);
create index stranger_attempts_day_idx on stranger_attempts (day);

-- Links by which the owner of an email makes a browser known. Stored for every email; only the mail depends on whether
-- there is an account.
create table device_links (
  id uuid primary key,
  email text not null,
  token_hash bytea not null unique,
  expires_at timestamptz not null
);
create index device_links_email_idx on device_links (lower(email));
create index device_links_expires_idx on device_links (expires_at);
