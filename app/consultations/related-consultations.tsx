import { href, Link } from "react-router";
import { pluralize } from "#app/lib/numbers.ts";
import type { TitleView } from "#shared/search.ts";
import { tintOf } from "#shared/tint.ts";

/** @param newTab true to open links in a new tab, so that a typed text is not lost */
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
            <Link to={href("/consulta/:id", { id })} target={newTab ? "_blank" : undefined}>
              {title}
              {newTab && <span className="visually-hidden"> (se abre en otra pestaña)</span>}
            </Link>
            <p className="meta">
              <span>{response_count ? pluralize(response_count, "respuesta", "respuestas") : "Sin respuestas"}</span>
              <span>{country}</span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
