-- Who asks learns that an answer came: by a mark on the own pages, and by mail if they chose so.

-- Answers that came ever, those that the author was told of (the list of own consultations), and those looked at (the page).
alter table consultations
  add column mail_answers boolean not null default false,
  add column answers_come integer not null default 0,
  add column answers_told integer not null default 0,
  add column answers_seen integer not null default 0,
  -- The mail that told of what the author has not looked at yet: no other one leaves meanwhile.
  add column answer_mail_id uuid;

update consultations set answers_come = response_count, answers_told = response_count, answers_seen = response_count
  where response_count > 0;

alter table consultations
  add constraint consultations_answers_in_order check (0 <= answers_seen and answers_seen <= answers_told and answers_told <= answers_come);

create index consultations_news_idx on consultations (user_id) where answers_come > answers_told;

-- What a user chose about these mails as a whole. No row: nothing decided, and no mail sent yet.
create table mail_choices (
  profile_id uuid primary key references profiles on delete cascade,
  answers boolean not null default true,
  -- What the link that ends these mails is made from; with another one, earlier links are worthless.
  link_id uuid not null,
  token_hash bytea not null unique
);
