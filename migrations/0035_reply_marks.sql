-- When the author of an answer last read its replies: the time of the newest reply on the page. Null before the first time.
-- The default is only for the answers of today, whose replies count as read; as a constant it rewrites no row.
alter table consultation_responses add column replies_seen_at timestamp(3) with time zone default now();
alter table consultation_responses alter column replies_seen_at drop default;
