-- That something was here, so that its old address can say so: no author, no text, nothing that leads to either.
create table deleted_items (
  id uuid primary key,
  kind text not null check (kind in ('consultation', 'answer', 'reply')),
  deleted_at timestamptz(3) not null
);

create view visible.deleted_items as select id, kind from deleted_items;
grant select on visible.deleted_items to divan_public;
