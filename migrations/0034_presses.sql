-- Items that presses of forms created, so that a repetition of a press creates no second item (docs/decisions/0016).
create table presses (
  -- Keyed hash of the operation, the author, the form's key and its fields: the row identifies no user.
  mark text primary key,
  -- Null until the transaction of the press ends. No foreign key, because a repetition also finds an item that was
  -- deleted since.
  made_id uuid,
  created_at timestamptz(3) not null
);
create index presses_created_idx on presses (created_at);
