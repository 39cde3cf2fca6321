import type { FoundConsultationView } from "#shared/search.ts";
import { ConsultationFrame } from "./consultation-frame.tsx";

/** Renders the parts of a text. Every second one, from the second on, is a match. */
const marked = (parts: readonly string[]) =>
  parts.map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity
    at % 2 ? <mark key={at}>{part}</mark> : part,
  );

/** A consultation that a search found, with its matches marked. */
export const FoundConsultation = ({ consultation, now }: { consultation: FoundConsultationView; now: string }) => (
  <ConsultationFrame
    consultation={{ ...consultation, content: marked(consultation.content_parts) }}
    heading={marked(consultation.title_parts)}
    now={now}
    headingLevel="h2"
    first={consultation.category && <span className="category">{consultation.category}</span>}
    author={consultation.author_label}
    open="Ver consulta"
  />
);
