-- Renames for docs/glossary.md. Every statement keeps its rows.
-- Constraints and indexes.
alter table consultations rename constraint consultations_loose_is_nobodys to consultations_anonymised_has_no_owner;
alter table consultation_replies rename constraint consultation_replies_loose_is_nobodys to consultation_replies_anonymised_has_no_owner;
alter table psychologist_reviews rename constraint psychologist_reviews_loose_is_nobodys to psychologist_reviews_anonymised_has_no_owner;
alter index consultations_loose_idx rename to consultations_anonymised_due_idx;
alter index consultation_replies_loose_idx rename to consultation_replies_anonymised_due_idx;
alter index psychologist_reviews_loose_idx rename to psychologist_reviews_anonymised_due_idx;
alter index consultations_news_idx rename to consultations_unlisted_answers_idx;
alter table consultation_votes rename constraint consultation_votes_one_each to consultation_votes_consultation_id_user_id_key;
alter table response_votes rename constraint response_votes_one_each to response_votes_response_id_user_id_key;
alter table psychologist_reviews rename constraint psychologist_reviews_pair_key to psychologist_reviews_psychologist_id_user_id_key;
alter table psychologist_reviews rename constraint psychologist_reviews_not_oneself to psychologist_reviews_no_self_review;
alter table gold_grants rename constraint gold_grants_ended_has_a_time to gold_grants_ended_at_check;
alter table payment_transactions rename constraint payment_transactions_refunded_within to payment_transactions_refunded_amount_check;
alter table payment_transactions rename constraint payment_transactions_dispute_has_an_id to payment_transactions_external_dispute_id_check;
alter table subscriptions rename constraint subscriptions_cancelled_has_a_cause to subscriptions_ended_by_required_check;
alter table subscriptions rename constraint subscriptions_cancelled_has_a_time to subscriptions_cancelled_at_check;
alter table consultations rename constraint consultations_answers_in_order to consultations_answer_counters_check;
alter index consultation_replies_person_idx rename to consultation_replies_user_idx;
alter table checkouts rename constraint checkouts_external_key to checkouts_provider_external_id_key;
alter table gold_grants rename constraint gold_grants_ends_after_start to gold_grants_ends_at_check;
alter table payment_problems rename constraint payment_problems_subject_key to payment_problems_kind_provider_external_id_key;
alter table subscriptions rename constraint subscriptions_lifetime_has_no_date to subscriptions_next_billing_date_check;
alter index email_changes_waiting_key rename to email_changes_pending_key;
alter index contact_messages_waiting_idx rename to contact_messages_unhandled_idx;
alter table farewells rename constraint farewells_pkey to deleted_account_emails_pkey;
alter index farewells_created_idx rename to deleted_account_emails_created_idx;
alter table kept_mails rename constraint kept_mails_pkey to demo_mails_pkey;
alter index kept_mails_newest_idx rename to demo_mails_newest_idx;
alter table stranger_attempts rename constraint stranger_attempts_pkey to unknown_device_attempts_pkey;
alter index stranger_attempts_day_idx rename to unknown_device_attempts_day_idx;
alter table mail_choices rename constraint mail_choices_pkey to mail_preferences_pkey;
alter table mail_choices rename constraint mail_choices_token_hash_key to mail_preferences_token_hash_key;
alter table mail_choices rename constraint mail_choices_profile_id_fkey to mail_preferences_profile_id_fkey;
alter table mail_pace rename constraint mail_pace_pkey to mail_throttle_pkey;
alter table mailbox_mails rename constraint mailbox_mails_pkey to mailbox_sends_pkey;
alter index mailbox_mails_mailbox_idx rename to mailbox_sends_mailbox_idx;
alter index mailbox_mails_allowed_idx rename to mailbox_sends_allowed_idx;
alter table profile_view_days rename constraint profile_view_days_pkey to profile_view_counts_pkey;
alter table profile_view_days rename constraint profile_view_days_views_check to profile_view_counts_views_check;
alter table profile_view_days rename constraint profile_view_days_psychologist_id_fkey to profile_view_counts_psychologist_id_fkey;
alter table device_attempts rename constraint device_attempts_pkey to known_device_attempts_pkey;
alter index device_attempts_ends_idx rename to known_device_attempts_ends_idx;

-- Columns.
alter table psychologist_reviews rename column goes_at to delete_at;
alter table consultation_replies rename column goes_at to delete_at;
alter table consultations rename column goes_at to delete_at;
alter table psychologist_reviews rename column settles_at to rewrite_at;
alter table consultation_replies rename column settles_at to rewrite_at;
alter table consultations rename column settles_at to rewrite_at;
alter table consultations rename column answers_come to answers_received;
alter table consultations rename column answers_told to answers_listed;
alter table consultations rename column mail_answers to notify_on_answer;
alter table known_devices rename column mark to device_hash;
alter table subscriptions rename column provider_next_date to provider_next_billing_date;
alter table checkouts rename column pay_url to approval_url;
alter table payment_transactions rename column as_of to provider_updated_at;
alter table checkouts rename column as_of to provider_updated_at;
alter table payment_sweeps rename column events_read_until to events_synced_until;

-- Tables.
alter table farewells rename to deleted_account_emails;
alter table kept_mails rename to demo_mails;
alter table stranger_attempts rename to unknown_device_attempts;
alter table mail_choices rename to mail_preferences;
alter table mail_pace rename to mail_throttle;
alter table mailbox_mails rename to mailbox_sends;
alter table profile_view_days rename to profile_view_counts;
alter table device_attempts rename to known_device_attempts;

-- Values.
alter table subscriptions drop constraint subscriptions_ended_by_check;
update subscriptions set ended_by = 'duplicate_payment' where ended_by = 'paid_twice';
alter table subscriptions add constraint subscriptions_ended_by_check CHECK ((ended_by = ANY (ARRAY['person'::text, 'provider'::text, 'refund'::text, 'replaced'::text, 'duplicate_payment'::text, 'mismatch'::text, 'admin'::text])));
alter table payment_problems drop constraint payment_problems_kind_check;
update payment_problems set kind = 'duplicate_payment' where kind = 'paid_twice';
update payment_problems set kind = 'cancellation_unconfirmed' where kind = 'not_cancelled';
update payment_problems set kind = 'payment_after_end' where kind = 'paid_after_end';
update payment_problems set kind = 'previous_period_refund' where kind = 'earlier_refund';
alter table payment_problems add constraint payment_problems_kind_check CHECK ((kind = ANY (ARRAY['mismatch'::text, 'unmatched'::text, 'duplicate_payment'::text, 'partial_refund'::text, 'previous_period_refund'::text, 'dispute'::text, 'chargeback'::text, 'reversal'::text, 'payment_after_end'::text, 'unreadable'::text, 'cancellation_unconfirmed'::text, 'unreachable'::text])));

-- Queued jobs. A database that never ran the server has no queue.
do $$
begin
  if to_regclass('pgboss.job') is null then
    return;
  end if;
  update pgboss.job set data = data || '{"kind": "new_answer"}' where data ->> 'kind' = 'answer_came';
  update pgboss.job set data = data - 'farewell_id' || jsonb_build_object('deleted_account_email_id', data -> 'farewell_id') where data ? 'farewell_id';
  delete from pgboss.schedule where name = 'loose-texts';
  delete from pgboss.job where name = 'loose-texts';
  delete from pgboss.queue where name = 'loose-texts';
end $$;
