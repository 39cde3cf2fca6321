import type { ExportView } from "#shared/own-data.ts";

/** A row as JSON: dates as text, everything else as it is. */
type Serialised<Row> = {
  [Key in keyof Row]: Row[Key] extends Date ? string : Row[Key] extends Date | null ? string | null : Row[Key];
};

const serialise = <Row extends object>(row: Row): Serialised<Row> =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value]),
  ) as Serialised<Row>;

type Votes = { vote_type: string; created_at: Date }[];
type Rows = {
  account: { user_type: string; avatar_url: string | null };
  psychologist: object | undefined;
  visits: { day: string; visits: number }[];
  consents: object[];
  sessions: object[];
  known_browsers: object[];
  email_changes: object[];
  consultations: object[];
  answers: object[];
  replies: object[];
  reviews: object[];
  consultation_votes: (Votes[number] & { consultation_id: string })[];
  answer_votes: (Votes[number] & { response_id: string })[];
  memberships: object[];
  gold_grants: object[];
  payments: object[];
  checkouts: object[];
};

/** The export of a user's data. The contract's view filters its fields. */
export function presentExport(rows: Rows, now: Date): ExportView {
  const { avatar_url, ...account } = rows.account;
  const lists = [
    "consents",
    "sessions",
    "known_browsers",
    "email_changes",
    "consultations",
    "answers",
    "replies",
    "reviews",
  ] as const;
  const paid = ["memberships", "gold_grants", "payments", "checkouts"] as const;
  return {
    exported_at: now.toISOString(),
    account: { ...serialise(account), photo: avatar_url },
    psychologist: rows.psychologist ? { ...serialise(rows.psychologist), profile_visits: rows.visits } : null,
    ...Object.fromEntries([...lists, ...paid].map((name) => [name, rows[name].map(serialise)])),
    consultation_votes: rows.consultation_votes.map(({ consultation_id, vote_type, created_at }) => ({
      consultation_id,
      vote: vote_type,
      created_at: created_at.toISOString(),
    })),
    answer_votes: rows.answer_votes.map(({ response_id, vote_type, created_at }) => ({
      answer_id: response_id,
      vote: vote_type,
      created_at: created_at.toISOString(),
    })),
  } as ExportView;
}
