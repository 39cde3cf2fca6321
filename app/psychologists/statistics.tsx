import { useLocation, useSearchParams } from "react-router";
import { WayToGold } from "#app/components/way-to-gold.tsx";
import { formatCount, pluralize } from "#app/lib/format.ts";
import { Collapsible } from "#app/ui/collapsible.tsx";
import { Tabs } from "#app/ui/link-row.tsx";
import { Figures, Panel } from "#app/ui/panel.tsx";
import type { StatisticsView } from "#shared/psychologists.ts";
import "./statistics.css";

type Day = StatisticsView["days"][number];

const KINDS = [
  { kind: "visits", name: "Visitas", one: "visita", many: "visitas" },
  { kind: "answers", name: "Respuestas", one: "respuesta", many: "respuestas" },
  { kind: "reviews", name: "Reseñas", one: "reseña", many: "reseñas" },
  { kind: "votes", name: "Votos", one: "voto", many: "votos" },
] as const;
type Kind = (typeof KINDS)[number]["kind"];
const SPANS = [30, 90] as const;
const RECENT_DAYS = 7;
const shortDay = new Intl.DateTimeFormat("es", { day: "numeric", month: "short", timeZone: "UTC" });
const dayWords = (date: string) => shortDay.format(new Date(`${date}T00:00:00Z`));
const sum = (days: Day[], kind: Kind) => days.reduce((total, day) => total + day[kind], 0);

/** Specification, section 2.7. The period is in the URL (`dias`), so that it works without JavaScript. */
export function StatisticsPanel({ statistics }: { statistics: StatisticsView }) {
  const [parameters] = useSearchParams();
  const { pathname } = useLocation();
  const span = parameters.get("dias") === "90" ? 90 : 30;
  const days = statistics.days.slice(-span);
  const totals: [string, number][] = [
    ["Visitas al perfil", statistics.visits],
    ["Respuestas totales", statistics.answers],
    ["Reseñas recibidas", statistics.reviews],
    ["Votos recibidos", statistics.votes],
  ];
  if (totals.every(([, total]) => total === 0))
    return (
      <Panel id="estadisticas" title="Estadísticas de tu perfil">
        <p className="text-muted">Aquí verás tus visitas, respuestas, reseñas y votos en cuanto llegue el primero.</p>
      </Panel>
    );
  return (
    <section className="stack" id="estadisticas" aria-labelledby="estadisticas-titulo">
      <div className="panel">
        <div className="row row--apart">
          <h2 id="estadisticas-titulo" className="title-l">
            Estadísticas de tu perfil
          </h2>
          <Tabs
            label="Período"
            items={SPANS.map((length) => ({
              to: `${pathname}${length === 90 ? "?dias=90" : ""}#estadisticas`,
              label: `${length} días`,
              current: length === span,
            }))}
          />
        </div>
        <p className="text-muted above-3">Desde que te registraste</p>
        <Figures items={totals.map(([words, total]) => [words, formatCount(total)])} className="totals above-3" />
      </div>
      <div className="panel">
        <h3 className="title-m">Visitas a tu perfil</h3>
        <p className="text-muted">
          {pluralize(sum(days, "visits"), "visita", "visitas")} en los últimos {span} días;{" "}
          {formatCount(sum(days.slice(-RECENT_DAYS), "visits"))} en los últimos {RECENT_DAYS}.
        </p>
        <Bars days={days} kind="visits" name="Visitas" />
      </div>
      <div className="three-columns">
        {KINDS.slice(1).map(({ kind, name, one, many }) => (
          <div key={kind} className="panel">
            <h3 className="title-s">{name}</h3>
            <p className="text-muted">{pluralize(sum(days, kind), one, many)}</p>
            <Bars days={days} kind={kind} name={name} />
          </div>
        ))}
      </div>
      <Collapsible title="Ver los números día por día" className="panel">
        <table className="data-table">
          <caption className="visually-hidden">Estadísticas de los últimos {span} días</caption>
          <thead>
            <tr>
              {["Día", ...KINDS.map(({ name }) => name)].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.date}>
                <th scope="row">
                  <time dateTime={day.date}>{dayWords(day.date)}</time>
                </th>
                {KINDS.map(({ kind, name }) => (
                  <td key={kind} data-label={name}>
                    {day[kind]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Collapsible>
      <p className="faint">
        Una persona cuenta una vez por día, y tus propias visitas no cuentan. Los votos son a favor menos en contra. Los
        días van de medianoche a medianoche en hora UTC.
      </p>
    </section>
  );
}

const HEIGHT = 100;
const STEP = 10;
const BAR = 7;

/** The last seven bars are darker. Votes may be negative and are then below the zero line. */
function Bars({ days, kind, name }: { days: Day[]; kind: Kind; name: string }) {
  const values = days.map((day) => day[kind]);
  if (values.every((value) => value === 0)) return null;
  const top = Math.max(0, ...values);
  const bottom = Math.min(0, ...values);
  const scale = HEIGHT / (top - bottom || 1);
  const zero = top * scale;
  const first = days[0];
  return (
    <>
      <svg
        className="chart"
        viewBox={`0 0 ${days.length * STEP - (STEP - BAR)} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name} por día en los últimos ${days.length} días: ${formatCount(sum(days, kind))} en total, ${formatCount(top)} en el mejor día.`}
      >
        {days.map((day, at) => {
          const value = day[kind];
          return value === 0 ? null : (
            <rect
              key={day.date}
              className={at < days.length - RECENT_DAYS ? "is-earlier" : undefined}
              x={at * STEP}
              width={BAR}
              y={value > 0 ? zero - value * scale : zero}
              height={Math.abs(value) * scale}
            >
              <title>{`${dayWords(day.date)}: ${value}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="axis faint" aria-hidden="true">
        <span>{first && dayWords(first.date)}</span>
        <span>hoy</span>
      </p>
    </>
  );
}

export function StatisticsOffer({ pending }: { pending: boolean }) {
  return (
    <Panel tone="gold" title="Conoce cómo te encuentran">
      <p className="panel__lead">
        Con la Membresía Gold ves cuántas personas visitan tu perfil cada día, y cómo crecen tus respuestas, tus reseñas
        y tus votos. También respondes sin límite.
      </p>
      <WayToGold pending={pending}>Ver planes Gold</WayToGold>
    </Panel>
  );
}
