-- Authors are notified of answers: by a mark on their own pages, and by mail if they chose it.

-- Answers received in total, shown in the author's list (told), and shown on the consultation's page (seen).
alter table consultations
  add column mail_answers boolean not null default false,
  add column answers_come integer not null default 0,
  add column answers_told integer not null default 0,
  add column answers_seen integer not null default 0,
  -- Mail about the answers that the author has not seen. No other mail is sent until then.
  add column answer_mail_id uuid;

update consultations set answers_come = response_count, answers_told = response_count, answers_seen = response_count
  where response_count > 0;

alter table consultations
  add constraint consultations_answers_in_order check (0 <= answers_seen and answers_seen <= answers_told and answers_told <= answers_come);

create index consultations_news_idx on consultations (user_id) where answers_come > answers_told;

-- A user's choice about these mails; no row without a choice or a mail.
create table mail_choices (
  profile_id uuid primary key references profiles on delete cascade,
  answers boolean not null default true,
  -- Id from which the unsubscribe link is derived. A new id invalidates earlier links.
  link_id uuid not null,
  token_hash bytea not null unique
);
