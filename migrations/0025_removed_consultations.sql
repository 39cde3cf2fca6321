-- Consultations that the administrator removed, stored completely for 15 s to undo the removal; then a job deletes
-- them. Only the undo reads them, and users' deletions apply to them too.
create table removed_consultations (
  -- Row of audit_log about the removal.
  decision_id uuid primary key,
  consultation_id uuid not null unique,
  -- Start of the author's weekly window if the removal restored its use.
  credit_window timestamptz,
  removed_at timestamptz(3) not null
);
create index removed_consultations_age_idx on removed_consultations (removed_at);

-- All rows that were removed with it.
create table removed_rows (
  source text not null check (source in ('consultations', 'consultation_votes', 'consultation_responses', 'response_votes', 'consultation_replies')),
  id uuid not null,
  consultation_id uuid not null references removed_consultations (consultation_id) on delete cascade,
  -- Author of the row. No foreign key: deleting an account deletes its rows here too (docs/decisions/0015), and a
  -- concurrent deletion must not make the removal fail.
  author_id uuid,
  data jsonb not null,
  primary key (source, id)
);
create index removed_rows_consultation_idx on removed_rows (consultation_id);
create index removed_rows_author_idx on removed_rows (author_id);
