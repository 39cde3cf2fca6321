import { href, Link } from "react-router";
import { pluralize } from "#app/lib/numbers.ts";
import { tintOf } from "#app/lib/tint.ts";

export type RelatedConsultation = { id: string; title: string; country: string; response_count: number };

export function RelatedConsultations({ consultations }: { consultations: RelatedConsultation[] }) {
  return (
    <section aria-labelledby="related">
      <h2 id="related" className="title-s">
        Otras personas preguntaron
      </h2>
      <ul className="related">
        {consultations.map(({ id, title, country, response_count }) => (
          <li key={id} className={`tint-${tintOf(id)}`}>
            <Link to={href("/consulta/:id", { id })}>{title}</Link>
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
