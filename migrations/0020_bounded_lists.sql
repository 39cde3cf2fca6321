-- Every list has pages. A page is read from an index in its order, from the end of the last page.

-- Number of an answer's replies, recounted under the answer's lock.
alter table consultation_responses add column reply_count integer not null default 0 check (reply_count >= 0);
update consultation_responses r set reply_count = counted.n
  from (select response_id, count(*)::integer as n from consultation_replies group by 1) counted
  where counted.response_id = r.id;

create or replace view visible.answers as
  select r.id, r.consultation_id, r.psychologist_id, r.content, r.upvotes, r.downvotes, r.votes, r.created_at, r.edited_at, r.reply_count
  from consultation_responses r;

create index consultation_responses_votes_idx
  on consultation_responses (consultation_id, votes desc, created_at desc, id desc);

-- A user's replies to one answer, newest first, for the daily limit and for showing them to that user. Replaces the
-- index on the user's id.
create index consultation_replies_person_idx on consultation_replies (user_id, response_id, created_at desc, id desc);
drop index consultation_replies_user_idx;

drop index psychologist_reviews_newest_idx;
create index psychologist_reviews_newest_idx on psychologist_reviews (psychologist_id, created_at desc, id desc);

create index psychologist_profiles_newest_idx on psychologist_profiles (created_at desc, id desc);

drop index payment_problems_open_idx;
create index payment_problems_open_idx on payment_problems (created_at, id)
  where settled_at is null and handled_at is null;
drop index subscriptions_cancel_waiting_idx;
create index subscriptions_cancel_waiting_idx on subscriptions (cancel_wanted_at, id)
  where cancel_wanted_at is not null and cancel_confirmed_at is null;
