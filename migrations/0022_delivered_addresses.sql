-- Stores emails in their delivered spelling, like shared/delivered-address.ts: one mailbox, one account. If two
-- accounts have the same mailbox, the one already in this spelling gets it, otherwise the older one. The other stays
-- unchanged.

-- RFC 3492.
create function pg_temp.punycode(label text) returns text language plpgsql as $$
declare
  points integer[] := array(
    select ascii(letter) from unnest(string_to_array(label, null)) with ordinality letters (letter, place) order by place
  );
  encoded text := regexp_replace(label, '[^\x01-\x7f]', '', 'g');
  basic integer := length(encoded);
  handled integer := basic;
  n integer := 128;
  delta bigint := 0;
  bias integer := 72;
  next integer;
  point integer;
  q bigint;
  k integer;
  t integer;
begin
  if basic = cardinality(points) then return label; end if;
  if basic > 0 then encoded := encoded || '-'; end if;
  while handled < cardinality(points) loop
    select min(each) into next from unnest(points) each where each >= n;
    delta := delta + (next - n)::bigint * (handled + 1);
    n := next;
    foreach point in array points loop
      if point < n then delta := delta + 1; end if;
      continue when point <> n;
      q := delta;
      k := 36;
      loop
        t := greatest(1, least(26, k - bias));
        exit when q < t;
        encoded := encoded || substr('abcdefghijklmnopqrstuvwxyz0123456789', (t + (q - t) % (36 - t))::integer + 1, 1);
        q := (q - t) / (36 - t);
        k := k + 36;
      end loop;
      encoded := encoded || substr('abcdefghijklmnopqrstuvwxyz0123456789', q::integer + 1, 1);
      delta := case when handled = basic then delta / 700 else delta / 2 end;
      delta := delta + delta / (handled + 1);
      k := 0;
      while delta > 455 loop
        delta := delta / 35;
        k := k + 36;
      end loop;
      bias := k + (36 * delta / (delta + 38))::integer;
      delta := 0;
      handled := handled + 1;
    end loop;
    delta := delta + 1;
    n := n + 1;
  end loop;
  return 'xn--' || encoded;
end
$$;

create function pg_temp.delivered(email text) returns text language plpgsql as $$
declare
  plain text := normalize(lower(normalize(
    regexp_replace(email, '[\u00ad\u034f\u200b\u2060\ufe00-\ufe0f\ufeff]', '', 'g'), nfkc) collate "und-x-icu"), nfkc);
  domain text := regexp_replace(translate(split_part(plain, '@', 2), '。', '.'), '\.$', '');
  made text;
begin
  select split_part(plain, '@', 1) || '@' || string_agg(pg_temp.punycode(label), '.' order by place) into made
  from unnest(string_to_array(domain, '.')) with ordinality labels (label, place);
  -- An unreadable email stays unchanged.
  return case when made ~ '^[^@\s]+@([a-z0-9-]+\.)+[a-z][a-z0-9-]*$' then made else email end;
end
$$;

create temporary table delivered_profiles on commit drop as
select id, email, created_at, pg_temp.delivered(email) as delivered from profiles;
create index on delivered_profiles (delivered);
update profiles set email = mine.delivered from delivered_profiles mine
where mine.id = profiles.id and mine.email <> mine.delivered
  and not exists (
    select from delivered_profiles other
    where other.delivered = mine.delivered and other.id <> mine.id
      and (lower(other.email) = other.delivered, mine.created_at, mine.id)
        > (lower(mine.email) = mine.delivered, other.created_at, other.id)
  );
update pending_registrations set email = pg_temp.delivered(email) where email <> pg_temp.delivered(email);
update email_changes set old_email = pg_temp.delivered(old_email), new_email = pg_temp.delivered(new_email)
where old_email <> pg_temp.delivered(old_email) or new_email <> pg_temp.delivered(new_email);

drop table delivered_profiles;
drop function pg_temp.delivered(text);
drop function pg_temp.punycode(text);
