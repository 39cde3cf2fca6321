-- Deleting an account anonymises its texts without a name. Each text gets a random time, at which the server deletes it
-- or, if it stays, rewrites its row. Otherwise the order of rows would link the texts. The text's row stores the time,
-- because jobs would be created together with those of the same account.
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

-- Jobs of the previous version: their texts are deleted before those jobs were due, at independent times. (The queue's
-- tables exist only if a server ran before.)
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
  -- A running node of the previous version then fails to delete accounts, instead of losing the user's choice.
  delete from pgboss.queue where name = 'nameless-texts';
end $$;
