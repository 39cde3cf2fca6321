import { ListHeader } from "#app/admin/list-header.tsx";
import type { Tab } from "#app/admin/tabs.ts";
import { pluralize } from "#app/lib/numbers.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorState, Retry } from "#app/ui/error-state.tsx";
import { ChevronDownIcon } from "#app/ui/icon.tsx";
import { ExternalIcon } from "#app/ui/more-icons.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { OverdueHelpLineView } from "#shared/admin.ts";
import "#app/admin/group.css";
import "#app/admin/line.css";
import "./help-lines-tab.css";

/** Groups lines by country, in their given order: the country with the oldest line is first. */
function byCountry(lines: readonly OverdueHelpLineView[]): [string, OverdueHelpLineView[]][] {
  const groups = new Map<string, OverdueHelpLineView[]>();
  for (const line of lines) {
    const country = line.country ?? "Todos los países";
    const group = groups.get(country);
    if (group) group.push(line);
    else groups.set(country, [line]);
  }
  return [...groups];
}

/** Help lines that are due for another check, oldest first. `lines` is null if loading failed. */
function OverdueHelpLines({ lines, now }: { lines: OverdueHelpLineView[] | null; now: string }) {
  return (
    <section aria-labelledby="help-lines">
      <ListHeader id="help-lines" title="Líneas de ayuda">
        {lines !== null &&
          lines.length > 0 &&
          `${pluralize(lines.length, "línea espera", "líneas esperan")} una nueva comprobación. Llama y mira la página oficial; lo más viejo va primero. Las fechas y lo que cambió se guardan con la próxima versión.`}
      </ListHeader>
      {lines === null && <ErrorState title="No se pudieron cargar las líneas de ayuda" action={<Retry />} />}
      {lines?.length === 0 && (
        <EmptyState title="Todas las líneas están comprobadas.">
          Cuando pasen 90 días desde la última vez, aparecerán aquí.
        </EmptyState>
      )}
      {lines &&
        byCountry(lines).map(([country, group], at) => (
          <details key={country} className="admin-group" open={at === 0}>
            <summary>
              <ChevronDownIcon size="s" />
              {country} <span className="faint">{pluralize(group.length, "línea", "líneas")}</span>
            </summary>
            <div className="admin-compact-list">
              {group.map((line) => (
                <Line key={line.name} line={line} now={now} />
              ))}
            </div>
          </details>
        ))}
    </section>
  );
}

function Line({ line, now }: { line: OverdueHelpLineView; now: string }) {
  const { name, shown_number, dial_number, hours, official_url, verified_on } = line;
  return (
    <article className="admin-compact-row admin-compact-row--help-line" aria-label={name}>
      <div>
        <h3>{name}</h3>
        {hours && <p className="text-muted">{hours}</p>}
      </div>
      <p className="admin-compact-row__number">
        {dial_number ? <a href={`tel:${dial_number}`}>{shown_number}</a> : shown_number}
      </p>
      <div className="text-muted admin-compact-row__link">
        <p>
          Comprobada <RelativeTime datetime={`${verified_on}T12:00:00.000Z`} now={now} />
        </p>
        {official_url && (
          <a href={official_url} target="_blank" rel="noopener noreferrer">
            Página oficial<span className="visually-hidden"> de {name} (se abre en otra pestaña)</span>
            <ExternalIcon size="s" />
          </a>
        )}
      </div>
    </article>
  );
}

export const helpLinesTab: Tab<null> = {
  Screen: ({ overdue, now }) => <OverdueHelpLines lines={overdue} now={now} />,
};
