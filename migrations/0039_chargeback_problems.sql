-- A payment that the bank reversed is shown to the administrator, who can send evidence until its deadline.
alter table payment_problems drop constraint payment_problems_kind_check;
alter table payment_problems add constraint payment_problems_kind_check
  check (kind in ('mismatch', 'unmatched', 'paid_twice', 'partial_refund', 'earlier_refund', 'dispute', 'chargeback',
    'reversal', 'paid_after_end', 'unreadable', 'not_cancelled'));
