import { count, counted } from "#app/lib/numbers.ts";
import { Fold } from "#app/ui/fold.tsx";
import type { AdminSummaryView, OverdueHelpLineView } from "#shared/moderation.ts";

/** Four numbers above the tabs (specification, section 2.9). */
export function Summary({ numbers }: { numbers: AdminSummaryView }) {
  const stats: [string, number][] = [
    ["Total de psicólogos", numbers.psychologists],
    ["Pendientes", numbers.pending],
    ["Verificados", numbers.verified],
    ["Total de consultas", numbers.consultations],
  ];
  return (
    <ul className="panel stats" aria-label="Resumen">
      {stats.map(([label, value]) => (
        <li key={label} className="stat">
          <b>{count(value)}</b> <span>{label}</span>
        </li>
      ))}
    </ul>
  );
}

/** Help lines whose numbers nobody has called for a while: they stay in view, with their date, until somebody does. */
export function OverdueHelpLines({ lines }: { lines: OverdueHelpLineView[] }) {
  return (
    <Fold
      title={`${counted(lines.length, "línea de ayuda espera", "líneas de ayuda esperan")} una nueva comprobación`}
      className="panel panel--clay py-[.25rem]!"
    >
      <p>Llama, mira la página oficial y actualiza la fecha en server/safety/help-lines.json.</p>
      <ul className="mt-[.75rem] grid list-none gap-[.5rem] p-0">
        {lines.map((line) => (
          <li key={`${line.country}-${line.name}`}>
            {line.official_url ? (
              <a href={line.official_url} target="_blank" rel="noopener noreferrer">
                {line.name}
                <span className="sr"> (se abre en otra pestaña)</span>
              </a>
            ) : (
              line.name
            )}
            {`\u00a0· ${line.country ?? "Todos los países"}\u00a0· comprobada el `}
            <time dateTime={line.verified_on}>{line.verified_on.split("-").reverse().join("/")}</time>
          </li>
        ))}
      </ul>
    </Fold>
  );
}
