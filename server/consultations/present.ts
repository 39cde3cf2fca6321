import type { AdminConsultationView } from "#shared/admin.ts";
import type { ConsultationView, OwnConsultationView } from "#shared/consultations.ts";
import type { Unversioned, Versioned } from "../versions.ts";

type Row = {
  id: string;
  title: string;
  content: string;
  country: string;
  category: string | null;
  is_anonymous: boolean;
  author_label: string | null;
  created_at: Date;
  edited_at: Date | null;
  upvotes: number;
  downvotes: number;
  response_count: number;
};

/** Shown instead of the author's name, for anonymous consultations and deleted accounts. */
const ANONYMOUS_LABEL = "Anónimo";

/** The user's own consultation, in their own list. */
export const presentOwnConsultation = (
  row: Row & { answers_come: number; answers_seen: number },
): OwnConsultationView => ({ ...presentConsultation(row), new_answers: row.answers_come - row.answers_seen });

export const presentConsultation = (row: Row): ConsultationView => ({
  id: row.id,
  title: row.title,
  content: row.content,
  country: row.country,
  category: row.category,
  is_anonymous: row.is_anonymous,
  author_label: row.author_label ?? ANONYMOUS_LABEL,
  created_at: row.created_at.toISOString(),
  edited_at: row.edited_at?.toISOString() ?? null,
  upvotes: row.upvotes,
  downvotes: row.downvotes,
  response_count: row.response_count,
});

/** A removal considers the text and the number of answers. */
export const REMOVABLE: Versioned<Row, Unversioned<AdminConsultationView>> = {
  kind: "consultation",
  present(row) {
    const { edited_at: _edited, upvotes: _up, downvotes: _down, ...view } = presentConsultation(row);
    return view;
  },
  ignored: [],
};
