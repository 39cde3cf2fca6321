-- Browsers in which an account has signed in: someone who knows an address and guesses its password uses up the attempts
-- of unknown browsers, and not those of the owner's own browsers.

-- A browser holds a random value; here is only what our key makes of it for this one account, so that two accounts used in
-- one browser cannot be joined.
create table known_devices (
  account_id uuid not null references accounts (id) on delete cascade,
  mark bytea not null,
  -- The day on which this browser last signed in.
  last_day date not null,
  primary key (account_id, mark)
);
create index known_devices_last_day_idx on known_devices (last_day);

-- Whether the browser of a session is known by it. False for those that began before browsers were.
alter table sessions add column device_known boolean not null default false;

-- Wrong passwords and codes of one known browser at one account, or in one session. Keys are made with ours.
create table device_attempts (
  key bytea primary key,
  used integer not null,
  -- When it is forgotten.
  ends_at timestamptz not null,
  -- Until when nothing is compared.
  wait_until timestamptz
);
create index device_attempts_ends_idx on device_attempts (ends_at);

-- Passwords and codes tried by all unknown browsers together at one typed address, whether or not it has an account.
create table stranger_attempts (
  key bytea primary key,
  hour timestamptz not null,
  hour_used integer not null,
  day date not null,
  day_used integer not null,
  -- The day for which the mail about it has been queued.
  mailed_on date
);
create index stranger_attempts_day_idx on stranger_attempts (day);

-- Links by which the owner of an address makes a browser known. Written for any address; whether it has an account shows
-- only in the mail.
create table device_links (
  id uuid primary key,
  email text not null,
  token_hash bytea not null unique,
  expires_at timestamptz not null
);
create index device_links_email_idx on device_links (lower(email));
create index device_links_expires_idx on device_links (expires_at);
