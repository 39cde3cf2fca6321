-- The community's numbers without counting tables. Each connection adds to one of 64 rows, so that writers rarely wait
-- for each other. The triggers run at the commit: this lock is the last one of every transaction, so it causes no
-- deadlock.

create table community_counts (
  shard smallint primary key,
  consultations integer not null default 0,
  answers integer not null default 0,
  psychologists integer not null default 0,
  verified_psychologists integer not null default 0
) with (fillfactor = 50);
insert into community_counts (shard) select generate_series(0, 63);

create function count_for_community() returns trigger language plpgsql as $$
declare
  change constant integer := case tg_op when 'INSERT' then 1 when 'DELETE' then -1 else 0 end;
begin
  update community_counts set
    consultations = consultations + case tg_argv[0] when 'consultation' then change else 0 end,
    answers = answers + case tg_argv[0] when 'answer' then change else 0 end
    where shard = pg_backend_pid() % 64;
  return null;
end $$;

create function count_psychologist_for_community() returns trigger language plpgsql as $$
begin
  update community_counts set
    psychologists = psychologists + (tg_op = 'INSERT')::integer - (tg_op = 'DELETE')::integer,
    verified_psychologists = verified_psychologists + (new.verified_at is not null)::integer
      - (old.verified_at is not null)::integer
    where shard = pg_backend_pid() % 64;
  return null;
end $$;

create constraint trigger count_for_community after insert or delete on consultations
  deferrable initially deferred for each row execute function count_for_community('consultation');
create constraint trigger count_for_community after insert or delete on consultation_responses
  deferrable initially deferred for each row execute function count_for_community('answer');
create constraint trigger count_for_community after insert or delete or update of verified_at on psychologist_profiles
  deferrable initially deferred for each row execute function count_psychologist_for_community();

-- The triggers block writers until this migration commits, so that no row is counted twice or missed.
update community_counts set
  consultations = (select count(*) from consultations),
  answers = (select count(*) from consultation_responses),
  psychologists = (select count(*) from psychologist_profiles),
  verified_psychologists = (select count(*) from psychologist_profiles where verified_at is not null)
  where shard = 0;

create or replace view visible.community_numbers as
  select sum(consultations)::integer as consultations, sum(verified_psychologists)::integer as psychologists,
    sum(answers)::integer as answers
  from community_counts;
