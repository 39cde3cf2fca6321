import { pageMeta } from "#app/lib/page-meta.ts";
import { runLoader } from "#app/lib/page-request.server.ts";
import { Collapsible } from "#app/ui/collapsible.tsx";
import type { Country } from "#shared/countries.ts";
import { COUNTRY_SLUGS } from "#shared/slugs.ts";
import type { Route } from "./+types/offline.ts";
import { HelpLinesList } from "./help-lines.tsx";

export const meta: Route.MetaFunction = () => pageMeta("Sin conexión");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => ({ all: await api.safety.allHelpLines({}) }));

/** The service worker shows it for a page that failed to load, with the reader's country open (public/sw.js). */
export default function Offline({ loaderData: { all } }: Route.ComponentProps) {
  return (
    <main id="contenido" className="page section reading-column stack stack--page">
      <div className="stack stack--close">
        <h1 className="title-xl">Sin conexión</h1>
        <p>No se ha podido cargar esta página. Los borradores que escribiste en esta pestaña siguen aquí.</p>
        <p>
          {/* biome-ignore lint/a11y/useValidAnchor: an empty URL is the page that failed */}
          <a className="button" href="">
            Reintentar
          </a>
        </p>
      </div>
      <section className="section stack stack--close" aria-labelledby="lineas">
        <h2 id="lineas" className="title-l">
          Si necesitas ayuda ahora
        </h2>
        <p>Para llamar no hace falta internet. Toca tu país.</p>
        <div style={{ display: "grid" }}>
          {all.map(({ country, ...groups }) => (
            <Collapsible
              key={country}
              id={`pais-${country ? COUNTRY_SLUGS[country as Country] : "otro"}`}
              title={country ?? "Mi país no está en la lista"}
            >
              <HelpLinesList groups={groups} />
            </Collapsible>
          ))}
        </div>
      </section>
    </main>
  );
}
