-- The order in which the browsers of one account signed in, without the time: among those of one day, `last_day` does not
-- give it. Counted for each account, so that rows of two accounts cannot be joined.
alter table known_devices add column position integer not null default 0;
