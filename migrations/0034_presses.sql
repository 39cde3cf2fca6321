-- What a press of a form has created, so that a repetition of the press creates nothing more (docs/decisions/0016).
create table presses (
  -- A keyed hash of the operation, the author, the key of the form and its fields: the row names no one.
  mark text primary key,
  -- Null until the transaction of the press ends. No foreign key: a repetition also finds what was deleted since.
  made_id uuid,
  created_at timestamptz(3) not null
);
create index presses_created_idx on presses (created_at);
