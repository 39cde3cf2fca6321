-- What a deleted account wrote without a name is anonymised: it has no owner, and is deleted at a random time of its own,
-- or rewritten at one where it stays, so that not even the order of rows tells which texts were anonymised together. The
-- time stands in the row of the text: a job for each would lie beside those of the same account, made at the same instant.
alter table consultations
  add column goes_at timestamptz(3),
  add column settles_at timestamptz(3),
  add constraint consultations_loose_is_nobodys check (num_nonnulls(goes_at, settles_at) = 0 or (user_id is null and num_nonnulls(goes_at, settles_at) = 1));
alter table consultation_replies
  add column goes_at timestamptz(3),
  add column settles_at timestamptz(3),
  add constraint consultation_replies_loose_is_nobodys check (num_nonnulls(goes_at, settles_at) = 0 or (user_id is null and num_nonnulls(goes_at, settles_at) = 1));
alter table psychologist_reviews
  add column goes_at timestamptz(3),
  add column settles_at timestamptz(3),
  add constraint psychologist_reviews_loose_is_nobodys check (num_nonnulls(goes_at, settles_at) = 0 or (user_id is null and num_nonnulls(goes_at, settles_at) = 1));

create index consultations_loose_idx on consultations (coalesce(goes_at, settles_at)) where goes_at is not null or settles_at is not null;
create index consultation_replies_loose_idx on consultation_replies (coalesce(goes_at, settles_at)) where goes_at is not null or settles_at is not null;
create index psychologist_reviews_loose_idx on psychologist_reviews (coalesce(goes_at, settles_at)) where goes_at is not null or settles_at is not null;

-- Jobs of the version before: their texts go before the time that those jobs had, at moments that have nothing in common.
-- (The queue's tables are there only where a server ran before.)
do $$
begin
  if to_regclass('pgboss.job') is null then
    return;
  end if;
  update consultations c set goes_at = now() + random() * greatest(job.start_after - now(), interval '10 minutes')
    from pgboss.job job where job.name = 'nameless-texts' and job.state in ('created', 'retry', 'active', 'failed')
      and job.data ->> 'kind' = 'consultation' and job.data ->> 'id' = c.id::text and c.user_id is null;
  update consultation_replies r set goes_at = now() + random() * greatest(job.start_after - now(), interval '10 minutes')
    from pgboss.job job where job.name = 'nameless-texts' and job.state in ('created', 'retry', 'active', 'failed')
      and job.data ->> 'kind' = 'reply' and job.data ->> 'id' = r.id::text and r.user_id is null;
  update psychologist_reviews r set goes_at = now() + random() * greatest(job.start_after - now(), interval '10 minutes')
    from pgboss.job job where job.name = 'nameless-texts' and job.state in ('created', 'retry', 'active', 'failed')
      and job.data ->> 'kind' = 'review' and job.data ->> 'id' = r.id::text and r.user_id is null;
  delete from pgboss.job where name = 'nameless-texts';
  -- A node of the version before that still runs can close no account from now on, instead of losing what was wished.
  delete from pgboss.queue where name = 'nameless-texts';
end $$;
