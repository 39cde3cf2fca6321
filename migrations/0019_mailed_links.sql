-- Mailed links that no later request invalidates, the quota of each mailbox, and the pace of mails that visitors cause.

-- Several recoveries may be pending for one email. Each link works for an hour, and using one invalidates all.
drop index recovery_requests_email_key;
create index recovery_requests_email_idx on recovery_requests (lower(email));
-- Time at which the mail with this link was allowed, or null.
alter table recovery_requests add column mailed_at timestamptz;
alter table pending_registrations add column mailed_at timestamptz;
alter table email_changes add column mailed_at timestamptz;
-- Rows from before this migration were mailed when they were created.
update recovery_requests set mailed_at = created_at;
update pending_registrations set mailed_at = created_at;
update email_changes set mailed_at = created_at;

-- Mails allowed to a mailbox, stored for a day. The mailbox is a keyed hash.
create table mailbox_mails (
  -- Id of the mail: a retry counts once.
  id uuid primary key,
  mailbox bytea not null,
  kind text not null,
  allowed_at timestamptz not null
);
create index mailbox_mails_mailbox_idx on mailbox_mails (mailbox, kind, allowed_at);
create index mailbox_mails_allowed_idx on mailbox_mails (allowed_at);

-- Time of the next mail of a kind at the steady pace, shared by all nodes.
create table mail_pace (
  kind text primary key,
  next_at timestamptz not null
);
