-- Actions of the administrator. Rows are added, never changed.
create table audit_log (
  id uuid primary key default gen_random_uuid(),
  actor_id uuid references profiles (id) on delete set null,
  action text not null,
  target_id uuid,
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index audit_log_newest_idx on audit_log (created_at desc);
create index audit_log_actor_idx on audit_log (actor_id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  -- The one change allowed is the foreign key letting go of somebody who left.
  if tg_op = 'UPDATE' and new.actor_id is null and row(new.id, new.action, new.target_id, new.details, new.created_at) is not distinct from row(old.id, old.action, old.target_id, old.details, old.created_at) then
    return new;
  end if;
  raise exception 'audit_log is append-only';
end $$;
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();

-- Mails that the demo stores instead of sending them.
create table kept_mails (
  id uuid primary key default gen_random_uuid(),
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  created_at timestamptz(3) not null default now()
);
create index kept_mails_newest_idx on kept_mails (created_at desc);

-- Points spent against rate limits, in the format of the limiter library.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire_idx on rate_limits (expire);

