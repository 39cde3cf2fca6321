-- What the administrator removed is gone for everyone at once. For some seconds it is kept here whole, so that the removal
-- can be undone; then a job deletes it. Nothing reads it but what undoes, and what a person deletes meanwhile goes here too.
create table removed_consultations (
  -- The row of audit_log that tells of the removal.
  decision_id uuid primary key,
  consultation_id uuid not null unique,
  -- Where the removal gave the author's consultation of the week back: when that week had begun.
  credit_window timestamptz,
  removed_at timestamptz(3) not null
);
create index removed_consultations_age_idx on removed_consultations (removed_at);

-- Every row that went with it, as it was.
create table removed_rows (
  source text not null check (source in ('consultations', 'consultation_votes', 'consultation_responses', 'response_votes', 'consultation_replies')),
  id uuid not null,
  consultation_id uuid not null references removed_consultations (consultation_id) on delete cascade,
  -- Whose it is. No foreign key: who leaves takes along what is theirs (docs/decisions/0015), and who does so at the same
  -- moment must not make the removal fail.
  author_id uuid,
  data jsonb not null,
  primary key (source, id)
);
create index removed_rows_consultation_idx on removed_rows (consultation_id);
create index removed_rows_author_idx on removed_rows (author_id);
