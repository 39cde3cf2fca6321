import { href, Link } from "react-router";
import { useFetched } from "#app/lib/fetched.ts";
import { answerCount } from "#app/lib/format.ts";
import type { TitleView } from "#shared/search.ts";
import { tintOf } from "#shared/tint.ts";
import type { Written } from "./card-preview.tsx";

/** @param newTab true to open links in a new tab, so that the form keeps its text */
export function RelatedConsultations({
  title: heading = "Otras personas preguntaron",
  consultations,
  newTab = false,
}: {
  title?: string;
  consultations: TitleView[];
  newTab?: boolean;
}) {
  return (
    <section aria-labelledby="related">
      <h2 id="related" className="title-s">
        {heading}
      </h2>
      <ul className="related">
        {consultations.map(({ id, title, country, response_count }) => (
          <li key={id} className={`tint-${tintOf(id)}`}>
            <Link
              className="title-link cover-link"
              to={href("/consulta/:id", { id })}
              target={newTab ? "_blank" : undefined}
            >
              {title}
              {newTab && <span className="visually-hidden"> (se abre en otra pestaña)</span>}
            </Link>
            <p className="meta">
              <span>{answerCount(response_count)}</span>
              <span>{country}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Time from the last key to the request of similar consultations, in milliseconds. */
const PAUSE_MS = 800;
/** Shorter titles say too little. */
const MIN_LETTERS = 8;

/** Published consultations similar to the typed one. Shows nothing after an error, because the form does not need it. */
export function SimilarConsultations({ title, content }: Pick<Written, "title" | "content">) {
  const found = useFetched<TitleView[]>(title.length >= MIN_LETTERS ? "/api/search/similar" : null, {
    body: JSON.stringify({ title, content }),
    pauseMs: PAUSE_MS,
  });
  if (!found?.length) return null;
  return <RelatedConsultations title="Consultas parecidas" consultations={found} newTab />;
}
