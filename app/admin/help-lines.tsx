import { type FailureHandle, outage } from "#app/lib/client-error-messages.ts";
import { pluralize } from "#app/lib/format.ts";
import { EmptyState, ErrorState } from "#app/ui/empty-state.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { HelpLineView } from "#shared/safety.ts";
import type { Route } from "./+types/help-lines.ts";
import { ListHeader } from "./parts.tsx";
import { loadSection } from "./section.server.ts";
import "./help-lines.css";

export const handle: FailureHandle = { failed: { load: outage("No se pudieron cargar las líneas de ayuda") } };

export const loader = (args: Route.LoaderArgs) =>
  loadSection(args, async ({ api, orNull }) => {
    const lines = await orNull(api.admin.overdueHelpLines({}));
    // Grouped on the server, because older browsers have no `Map.groupBy`.
    const byCountry = Map.groupBy(lines ?? [], ({ country }) => country ?? "Todos los países");
    return { count: lines?.length, byCountry: [...byCountry] };
  });

export default function Help({ loaderData: { count, byCountry } }: Route.ComponentProps) {
  return (
    <section aria-labelledby="help-lines">
      <ListHeader id="help-lines" title="Líneas de ayuda">
        {count
          ? `${pluralize(count, "línea espera", "líneas esperan")} una nueva comprobación. Llama y mira la página oficial; lo más viejo va primero. Las fechas y lo que cambió se guardan con la próxima versión.`
          : null}
      </ListHeader>
      {count === undefined && <ErrorState title="No se pudieron cargar las líneas de ayuda" />}
      {count === 0 && (
        <EmptyState title="Todas las líneas están comprobadas.">
          Cuando pasen 90 días desde la última vez, aparecerán aquí.
        </EmptyState>
      )}
      {byCountry.map(([country, group], at) => (
        <details key={country} className="admin-group" open={at === 0}>
          <summary>
            <Icon name="chevron-down" size="s" className="turns" />
            {country} <span className="faint">{pluralize(group.length, "línea", "líneas")}</span>
          </summary>
          <div className="admin-compact-list">
            {group.map((line) => (
              <Line key={line.name} line={line} />
            ))}
          </div>
        </details>
      ))}
    </section>
  );
}

function Line({ line }: { line: HelpLineView }) {
  const { name, shown_number, dial_number, hours, official_url, verified_on } = line;
  return (
    <article className="rows admin-compact-row admin-compact-row--help-line" aria-label={name}>
      <div>
        <h3>{name}</h3>
        {hours && <p className="text-muted">{hours}</p>}
      </div>
      <p className="admin-compact-row__number">
        {dial_number ? (
          <a className="tap-link" href={`tel:${dial_number}`}>
            {shown_number}
          </a>
        ) : (
          shown_number
        )}
      </p>
      <div className="text-muted">
        <p>
          Comprobada <RelativeTime datetime={`${verified_on}T12:00:00.000Z`} />
        </p>
        {official_url && (
          <a className="tap-link" href={official_url} target="_blank" rel="noopener noreferrer">
            Página oficial<span className="visually-hidden"> de {name} (se abre en otra pestaña)</span>
            <Icon name="external" size="s" />
          </a>
        )}
      </div>
    </article>
  );
}
