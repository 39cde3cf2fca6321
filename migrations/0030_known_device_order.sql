-- Order in which the browsers of one account signed in, without the time. `last_day` does not order browsers of the
-- same day. Counted per account, so that rows of two accounts cannot be linked.
alter table known_devices add column position integer not null default 0;
