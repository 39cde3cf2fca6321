import type { ReactNode } from "react";
import { Link } from "react-router";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";

/** Names the filters that matched no consultation, with links to broader lists. */
export default function EmptyFeed({
  country,
  category,
  wholeCountry,
  ask,
}: {
  country: string | null;
  category: string | null;
  /** URL of the list without the category. */
  wholeCountry: string;
  /** Button that asks a question. Empty for psychologists. */
  ask: ReactNode;
}) {
  return (
    <EmptyState
      title="No hay consultas para mostrar en este país."
      action={
        country && category ? (
          <p className="row">
            <ButtonLink to={wholeCountry} small variant="soft">
              Ver todas las de {country}
            </ButtonLink>
            {ask}
          </p>
        ) : (
          <Link to="/#consultas">Quitar los filtros</Link>
        )
      }
    >
      {category && `${country ? `En ${country} no` : "No"} hay consultas de ${category} todavía.`}
    </EmptyState>
  );
}
