import { Link } from "react-router";
import { AskLink } from "#app/components/ask-link.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { pageError } from "#app/lib/client-error-messages.ts";
import { descriptionOf } from "#app/lib/format.ts";
import { type HelpHandle, useHelpPath } from "#app/lib/help-path.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { runLoader } from "#app/lib/page-request.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { ConsultationView } from "#shared/consultations.ts";
import type { Route } from "./+types/topic.ts";
import { ConsultationCard } from "./consultation-card.tsx";
import { loadTopic, type Topic } from "./topic-introductions.server.ts";
import "./topic-page.css";

export const handle = {
  helpCountry: (shown) => shown?.country,
} satisfies HelpHandle<Route.ComponentProps["loaderData"]>;

export const meta: Route.MetaFunction = ({ loaderData, error }) => {
  if (!loaderData) return pageMeta(pageError(error).title);
  const { title, text, feed } = loaderData;
  const link = { tagName: "link", rel: "alternate", type: "application/atom+xml", title, href: feed };
  return [...pageMeta(title, descriptionOf(text)), link];
};

export const loader = (args: Route.LoaderArgs) => runLoader(args, (ctx) => loadTopic(ctx, args.params));

/** Page of a topic (/temas/:topic) or a country (/paises/:country) for readers who arrive from a search engine. */
export default function TopicPage({ loaderData: topic }: Route.ComponentProps) {
  const { title, text, urgent, voted, newest, all, others, country } = topic;
  const help = useHelpPath();
  const ask = useAuth().viewer?.user_type !== "psychologist" && <AskLink />;
  return (
    <main id="contenido" className="page split topic">
      <div>
        <BackLink to="/temas">Temas y países</BackLink>
        <header className="topic__head">
          <h1 className="title-xl">{title}</h1>
          <p className="topic__text">{text}</p>
          {urgent && (
            <p className="topic__urgent">
              {urgent} <Link to={help}>Necesito ayuda ahora</Link>
            </p>
          )}
          {ask}
        </header>
        {voted.length > 0 && <Cards id="votadas" title="Más votadas" items={voted} />}
        {newest.length > 0 ? (
          <Cards id="recientes" title="Más recientes" items={newest} />
        ) : (
          <EmptyState title="Todavía no hay consultas aquí.">{ask && "Puedes ser quien empiece."}</EmptyState>
        )}
        <p className="row pagination">
          <ButtonLink to={all ?? "/#consultas"} variant="soft">
            {all ? "Ver todas" : country ? "Ver consultas de todos los países" : "Ver consultas de todos los temas"}
          </ButtonLink>
        </p>
      </div>
      <aside className="aside topic__aside" aria-label="Más para leer">
        <TopicLinks title={country ? "Otros países" : "Otros temas"} links={others} />
      </aside>
    </main>
  );
}

function Cards({ id, title, items }: { id: string; title: string; items: ConsultationView[] }) {
  return (
    <section className="stack topic__list" aria-labelledby={id}>
      <h2 id={id} className="title-l">
        {title}
      </h2>
      <div className="feed">
        {items.map((consultation) => (
          <ConsultationCard key={consultation.id} consultation={consultation} headingLevel="h3" />
        ))}
      </div>
    </section>
  );
}

export function TopicLinks({ title, links }: { title: string; links: Topic["others"] }) {
  return (
    <Panel title={title}>
      <ul className="row topic__links">
        {links.map(({ name, to }) => (
          <li key={to}>
            <Link to={to} className="chip">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
