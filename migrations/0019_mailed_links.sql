-- Links in mails that no later request kills, the silent allowance of each mailbox, and the pace of mails that strangers cause.

-- Several wishes for a new password may wait for one address: every mailed link serves until its hour is over, and using
-- one ends them all.
drop index recovery_requests_email_key;
create index recovery_requests_email_idx on recovery_requests (lower(email));
-- When the mail with this link was allowed to leave; null: not yet.
alter table recovery_requests add column mailed_at timestamptz;
alter table pending_registrations add column mailed_at timestamptz;
alter table email_changes add column mailed_at timestamptz;
-- Whatever waited before this was mailed as soon as it was asked for.
update recovery_requests set mailed_at = created_at;
update pending_registrations set mailed_at = created_at;
update email_changes set mailed_at = created_at;

-- Mails that were allowed to leave to a mailbox, kept for a day. The mailbox is a mark made with the application's key.
create table mailbox_mails (
  -- The mail: tried again, it counts once.
  id uuid primary key,
  mailbox bytea not null,
  kind text not null,
  allowed_at timestamptz not null
);
create index mailbox_mails_mailbox_idx on mailbox_mails (mailbox, kind, allowed_at);
create index mailbox_mails_allowed_idx on mailbox_mails (allowed_at);

-- When the next mail of a kind could leave at the steady pace; all nodes share it.
create table mail_pace (
  kind text primary key,
  next_at timestamptz not null
);
