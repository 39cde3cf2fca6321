import { redirect } from "react-router";
import { pageMeta } from "#app/lib/page-meta.ts";
import { getPageContext } from "#app/lib/page-request.server.ts";
import { Cup } from "#app/ui/illustrations.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/landing.ts";
import { CallToAction, Features, Hero } from "./hero-and-features.tsx";

export const handle = { header: { register: true } };

export const meta: Route.MetaFunction = () =>
  pageMeta(
    "Conecta con Psicólogos Profesionales",
    "Cuenta lo que te pasa, con tu nombre o de forma anónima. Te responden psicólogas y psicólogos con matrícula verificada.",
  );

export function loader(args: Route.LoaderArgs) {
  const ctx = getPageContext(args);
  if (ctx.viewer()) throw redirect("/");
  return { donationUrl: ctx.donationUrl };
}

export default function Landing({ loaderData: { donationUrl } }: Route.ComponentProps) {
  return (
    <main id="contenido" className="page">
      <Hero explore="/#consultas" />
      <Features />
      <CallToAction explore="/#consultas" />
      {donationUrl && (
        <section className="section" aria-labelledby="coffee">
          <div className="panel row row--apart">
            <div className="donation">
              <Cup />
              <div>
                <h2 id="coffee" className="title-s">
                  Invítanos un café
                </h2>
                <p className="faint">{PRODUCT_NAME} es gratis para quien pregunta.</p>
              </div>
            </div>
            <a className="button button--soft" href={donationUrl} rel="noopener noreferrer">
              Invitar un café
            </a>
          </div>
        </section>
      )}
    </main>
  );
}
