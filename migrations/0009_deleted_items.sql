-- Deleted items, so that their URLs can respond 410. No author, no text, and no reference to either.
create table deleted_items (
  id uuid primary key,
  kind text not null check (kind in ('consultation', 'answer', 'reply')),
  deleted_at timestamptz(3) not null
);

create view visible.deleted_items as select id, kind from deleted_items;
grant select on visible.deleted_items to divan_public;
