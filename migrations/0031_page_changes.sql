-- Notifies the page caches of all processes (docs/decisions/0006). A notification is a list of tags, separated by
-- spaces. "!id": no page with this item may be sent any more. Another tag: pages that depend on it may be 1 s old.
create function announce(variadic tags text[]) returns void language sql as
$$ select pg_notify('page_changes', array_to_string(tags, ' ')) $$;

create function announce_consultation() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform announce('lists');
  elsif tg_op = 'DELETE' then
    perform announce('!' || old.id, 'lists');
  elsif (new.title, new.content, new.country, new.category, new.is_anonymous, new.author_name, new.edited_at)
      is distinct from (old.title, old.content, old.country, old.category, old.is_anonymous, old.author_name, old.edited_at)
      or (not new.is_anonymous and new.user_id is distinct from old.user_id) then
    perform announce('!' || new.id, 'lists');
  elsif (new.upvotes, new.downvotes, new.response_count) <> (old.upvotes, old.downvotes, old.response_count) then
    perform announce(new.id::text, 'lists');
  end if;
  return null;
end $$;
create trigger announce after insert or update or delete on consultations
  for each row execute function announce_consultation();

create function announce_answer() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform announce(new.consultation_id::text, new.psychologist_id::text, 'lists');
  elsif tg_op = 'DELETE' then
    perform announce('!' || old.id, old.consultation_id::text, old.psychologist_id::text, 'lists');
  elsif (new.content, new.edited_at) is distinct from (old.content, old.edited_at) then
    perform announce('!' || new.id);
  else
    perform announce(new.consultation_id::text, new.psychologist_id::text);
  end if;
  return null;
end $$;
create trigger announce after insert or update or delete on consultation_responses
  for each row execute function announce_answer();

-- A new reply changes the number of replies of its answer, whose trigger announces it.
create function announce_reply() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (new.content, new.edited_at) is distinct from (old.content, old.edited_at) then
    perform announce('!' || old.id);
  end if;
  return null;
end $$;
create trigger announce after update or delete on consultation_replies
  for each row execute function announce_reply();

create function announce_review() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform announce(new.psychologist_id::text);
  elsif tg_op = 'DELETE'
      or (new.rating, new.comment, new.show_name, new.edited_at)
        is distinct from (old.rating, old.comment, old.show_name, old.edited_at)
      or (new.show_name and new.user_id is distinct from old.user_id) then
    perform announce('!' || old.id, old.psychologist_id::text);
  end if;
  return null;
end $$;
create trigger announce after insert or update or delete on psychologist_reviews
  for each row execute function announce_review();

create function announce_psychologist() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform announce('lists');
  elsif tg_op = 'DELETE' then
    perform announce('!' || old.id, 'lists');
  elsif (new.specialty, new.license_number, new.country, new.bio, new.phone, new.whatsapp, new.website, new.verified_at,
        new.gold_until)
      is distinct from (old.specialty, old.license_number, old.country, old.bio, old.phone, old.whatsapp, old.website,
        old.verified_at, old.gold_until) then
    perform announce('!' || new.id, 'lists');
  elsif (new.rating, new.total_reviews) is distinct from (old.rating, old.total_reviews) then
    perform announce(new.id::text, 'card:' || new.id, 'lists');
  elsif (new.total_responses, new.total_votes) <> (old.total_responses, old.total_votes) then
    perform announce(new.id::text, 'lists');
  end if;
  return null;
end $$;
create trigger announce after insert or update or delete on psychologist_profiles
  for each row execute function announce_psychologist();

-- A name appears on its consultations and reviews, unless they are anonymous or have another name.
create function announce_person() returns trigger language plpgsql as $$
begin
  perform announce('!' || new.id);
  perform announce('!' || id) from consultations
    where user_id = new.id and not is_anonymous and author_name is null;
  perform announce('!' || id) from psychologist_reviews where user_id = new.id and show_name;
  return null;
end $$;
create trigger announce after update of full_name, avatar_url on profiles
  for each row when ((new.full_name, new.avatar_url) is distinct from (old.full_name, old.avatar_url))
  execute function announce_person();
