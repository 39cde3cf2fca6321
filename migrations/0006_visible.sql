-- Public data. The public side of the server uses the role divan_public, which can read only these views. They do not
-- contain the author of an anonymous item, and reading their tables fails with 42501. (Plain views, because
-- security_barrier turns index scans into sequential ones.)

do $$
begin
  if not exists (select from pg_roles where rolname = 'divan_public') then
    create role divan_public nologin;
  end if;
-- another database of this server created it concurrently
exception when duplicate_object or unique_violation then null;
end $$;

create schema visible;

create view visible.psychologists as
  select p.id, p.specialty, p.license_number, p.country, p.bio, p.phone, p.whatsapp, p.website, p.is_verified, p.rating::float8 as rating,
    p.total_reviews, p.total_responses, p.total_votes, p.gold_until, p.created_at, person.full_name, person.avatar_url
  from psychologist_profiles p join profiles person on person.id = p.id;

create view visible.consultations as
  select c.id, c.title, c.content, c.country, c.category, c.is_anonymous,
    case when c.is_anonymous then null else coalesce(c.author_name, author.full_name) end as author_label,
    c.upvotes, c.downvotes, c.score, c.response_count, c.created_at, c.edited_at
  from consultations c left join profiles author on author.id = c.user_id;

create view visible.answers as
  select r.id, r.consultation_id, r.psychologist_id, r.content, r.upvotes, r.downvotes, r.votes, r.created_at, r.edited_at
  from consultation_responses r;

create view visible.replies as
  select r.id, r.response_id, r.content, r.created_at, r.edited_at from consultation_replies r;

create view visible.reviews as
  select r.id, r.psychologist_id, r.rating, r.comment, r.created_at, r.edited_at,
    case when r.show_name then person.full_name end as author_label,
    person.user_type = 'psychologist' as by_colleague
  from psychologist_reviews r join profiles person on person.id = r.user_id;

-- Counted at each query; the server caches the result for 10 s (server/consultations/community.ts).
create view visible.community_numbers as
  select (select count(*) from consultations)::integer as consultations,
    (select count(*) from psychologist_profiles where verified_at is not null)::integer as psychologists,
    (select count(*) from consultation_responses)::integer as answers;

grant usage on schema visible to divan_public;
grant select on all tables in schema visible to divan_public;
revoke all on schema public from divan_public;
do $$ begin execute format('grant divan_public to %I', current_user); end $$;

