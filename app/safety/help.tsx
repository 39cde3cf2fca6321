import { useEffect, useRef } from "react";
import { Form, Link, useSubmit } from "react-router";
import { type HelpHandle, helpPath } from "#app/lib/help-path.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { runLoader } from "#app/lib/page-request.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Collapsible } from "#app/ui/collapsible.tsx";
import { SelectInput } from "#app/ui/field.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { COUNTRIES } from "#shared/countries.ts";
import type { HelpLinesView } from "#shared/safety.ts";
import type { Route } from "./+types/help.ts";
import { availabilityNote, FirstCall, firstCalls, helpLineKey, hoursAndCost } from "./first-calls.tsx";
import { CHILDREN_ANCHOR, HelpLinesList } from "./help-lines.tsx";
import "./help-lines.css";

export const handle = {
  helpCountry: (shown) => shown?.chosen?.country,
} satisfies HelpHandle<Route.ComponentProps["loaderData"]>;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  pageMeta(
    `Necesito ayuda ahora${loaderData?.chosen?.country ? `: ${loaderData.chosen.country}` : ""}`,
    "Líneas de ayuda en crisis, emergencias y violencia de once países de habla hispana, y cómo borrar el historial del navegador.",
  );

/** Ignores an unknown country, because help must always load. */
export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    const asked = args.url.searchParams.get("pais");
    const all = await api.safety.allHelpLines({});
    const chosen = all.find(({ country }) => country !== null && country === asked) ?? null;
    const elsewhere = all.find(({ country }) => country === null) ?? null;
    return { chosen, elsewhere, others: all.filter((lines) => lines.country !== null && lines !== chosen) };
  });

export default function Help({ loaderData: { chosen, elsewhere, others } }: Route.ComponentProps) {
  const submit = useSubmit();
  const heading = useRef<HTMLHeadingElement>(null);
  const select = useRef<HTMLSelectElement>(null);
  const choosing = useRef(false);
  const country = chosen?.country ?? "";
  useEffect(() => {
    // Arrow keys pass several countries, so the focused select element must stay.
    if (select.current) select.current.value = country;
    if (choosing.current) heading.current?.scrollIntoView();
    choosing.current = false;
  }, [country]);
  return (
    <main id="contenido" className="page split section">
      <div className="reading-column stack stack--page">
        <div className="stack stack--close">
          <h1 className="title-xl">Necesito ayuda ahora</h1>
          <p>
            Estas líneas las atienden personas. Si hay peligro ahora, llama a emergencias.
            {!chosen && " Toca tu país para ver todas sus líneas."}
          </p>
        </div>

        {chosen?.country && (
          <section className="stack screen-only" aria-labelledby="chosen">
            <div className="row row--apart">
              <h2 ref={heading} id="chosen" className="title-l">
                {chosen.country}
              </h2>
              <a className="icon-link" href="#pais">
                Cambiar país
              </a>
            </div>
            <HelpLinesList groups={chosen} anchored />
          </section>
        )}

        {!chosen && (
          <section className="screen-only" aria-labelledby="countries">
            <h2 id="countries" className="visually-hidden">
              Líneas por país
            </h2>
            <PrimaryHelpLinesByCountry countries={others} />
          </section>
        )}

        <Form
          method="get"
          action="/ayuda"
          id={chosen ? undefined : CHILDREN_ANCHOR}
          className="panel row help-country screen-only"
          preventScrollReset
          replace
        >
          <SelectInput
            ref={select}
            id="pais"
            label={chosen ? "Cambiar país" : "¿En qué país estás?"}
            name="pais"
            defaultValue={country}
            className="help-country__select"
            onChange={(event) => {
              choosing.current = true;
              submit(event.currentTarget.form, { preventScrollReset: true, replace: true });
            }}
            none="Elige un país"
            options={COUNTRIES}
          />
          <Button type="submit">Ver líneas</Button>
        </Form>

        <div className="screen-only">
          <section aria-labelledby="others">
            <h2 id="others" className={chosen ? "title-m" : "visually-hidden"}>
              Otros países
            </h2>
            {(chosen ? others : []).map(({ country, ...groups }) => (
              <Collapsible key={country} title={country}>
                <HelpLinesList groups={groups} />
              </Collapsible>
            ))}
            {elsewhere && (
              <Collapsible title="Mi país no está en la lista">
                <HelpLinesList groups={elsewhere} />
              </Collapsible>
            )}
          </section>
        </div>

        <div className="print-only">
          {[chosen, ...others, elsewhere].map(
            (lines) =>
              lines && (
                <section key={lines.country} className="print-list">
                  <h2 className="title-s">{lines.country ?? "En cualquier otro país"}</h2>
                  <ul className="bullets">
                    {[...lines.first, ...lines.emergency, ...lines.others].map((line) => (
                      <li key={helpLineKey(line)}>
                        {line.name}: <b>{line.shown_number ?? line.contact_url}</b>
                        {[line.hours, line.reach].map((fact) => fact && ` · ${fact}`)}
                      </li>
                    ))}
                  </ul>
                </section>
              ),
          )}
        </div>
      </div>
      <History />
    </main>
  );
}

const BROWSERS: readonly [string, string][] = [
  [
    "Chrome en el teléfono",
    "Toca los tres puntos, luego «Historial» y la equis junto a cada página, o «Borrar datos de navegación».",
  ],
  ["Safari en iPhone", "Toca el libro, luego el reloj. Desliza cada página hacia la izquierda y toca «Eliminar»."],
  ["Samsung Internet", "Toca las tres rayas, luego «Historial». Mantén el dedo sobre la página y toca «Eliminar»."],
  ["Firefox", "Abre el menú, luego «Historial», y borra la página o elige «Borrar historial reciente»."],
  [
    "En una computadora",
    "Pulsa Ctrl y H (en Mac, ⌘ e Y) para ver el historial. Borra solo las páginas que quieras: un historial vacío también llama la atención.",
  ],
];

const History = () => (
  <Panel title="Si alguien mira tu teléfono o tu computadora" className="stack">
    <p>
      «Salida rápida» cambia la página que ves por otra que no dice nada. Las que viste antes siguen en «Atrás» y en el
      historial: ninguna página puede borrarlas. Así se borran a mano:
    </p>
    <dl className="stack stack--close">
      {BROWSERS.map(([name, steps]) => (
        <div key={name}>
          <dt className="history__browser">{name}</dt>
          <dd>{steps}</dd>
        </div>
      ))}
    </dl>
    <p>
      La próxima vez, abre una ventana privada o de incógnito: al cerrarla no queda historial. Las llamadas quedan en el
      registro del teléfono y también se pueden borrar.
    </p>
  </Panel>
);

const PrimaryHelpLinesByCountry = ({ countries }: { countries: readonly HelpLinesView[] }) => (
  <ul className="primary-help-lines">
    {countries.map(({ country, ...groups }) => {
      const notes = groups.first.map(availabilityNote).filter((note) => note !== null);
      return (
        country && (
          <li key={country} className="row">
            <Link to={helpPath(country)} className="text-muted primary-help-lines__country">
              <b>{country}</b>
              {groups.first.slice(0, 1).map((line) => (
                <span key={helpLineKey(line)}>{hoursAndCost(line)}</span>
              ))}
            </Link>
            <div className="primary-help-lines__calls">
              {firstCalls(groups).map((line) => (
                <FirstCall key={helpLineKey(line)} line={line} country={country} />
              ))}
            </div>
            {notes.map((note) => (
              <p key={note} className="text-muted small primary-help-lines__note">
                {note}.
              </p>
            ))}
          </li>
        )
      );
    })}
  </ul>
);
