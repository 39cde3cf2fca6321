-- Times of deleted replies, which count towards the daily limit. Rows are deleted after a day and with the account.
create table deleted_replies (
  id uuid primary key,
  -- No foreign key: the answer may have been removed, and the removal undone, since.
  response_id uuid not null,
  user_id uuid not null references profiles (id) on delete cascade,
  -- Time at which the reply was written.
  created_at timestamptz(3) not null
);
create index deleted_replies_author_idx on deleted_replies (user_id, response_id);
create index deleted_replies_created_idx on deleted_replies (created_at);
