-- Time of the newest reply when the author of an answer last read its replies, or null. The default applies only to
-- existing answers, whose replies count as read; as a constant it rewrites no row.
alter table consultation_responses add column replies_seen_at timestamp(3) with time zone default now();
alter table consultation_responses alter column replies_seen_at drop default;
