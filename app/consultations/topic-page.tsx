import { Link } from "react-router";
import { useHelpPath } from "#app/lib/help-path.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PlusIcon } from "#app/ui/icon.tsx";
import { BackIcon } from "#app/ui/more-icons.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { ConsultationView } from "#shared/consultations.ts";
import { ConsultationCard } from "./consultation-card.tsx";
import type { Topic } from "./topics.server.ts";
import "./topic-page.css";

/** Page of a topic or a country for readers who arrive from a search engine. */
export function TopicPage({ topic }: { topic: Topic }) {
  const { title, text, urgent, voted, newest, all, others, country, userType, now } = topic;
  const help = useHelpPath();
  const ask = userType !== "psychologist" && (
    <ButtonLink to={userType ? "/nueva-consulta" : signInPath("/nueva-consulta")} icon={<PlusIcon />}>
      Nueva Consulta
    </ButtonLink>
  );
  return (
    <main id="contenido" className="page split topic">
      <div>
        <Link className="icon-link" to="/temas">
          <BackIcon size="s" />
          Temas y países
        </Link>
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
        {voted.length > 0 && <Cards id="votadas" title="Más votadas" items={voted} now={now} />}
        {newest.length > 0 ? (
          <Cards id="recientes" title="Más recientes" items={newest} now={now} />
        ) : (
          <EmptyState title="Todavía no hay consultas aquí.">Puedes ser quien empiece.</EmptyState>
        )}
        <p className="pagination">
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

function Cards({ id, title, items, now }: { id: string; title: string; items: ConsultationView[]; now: string }) {
  return (
    <section className="topic__list" aria-labelledby={id}>
      <h2 id={id} className="title-l">
        {title}
      </h2>
      <div className="feed">
        {items.map((consultation) => (
          <ConsultationCard key={consultation.id} consultation={consultation} now={now} headingLevel="h3" />
        ))}
      </div>
    </section>
  );
}

/** Panel with links to pages of topics or countries. */
export function TopicLinks({ title, links }: { title: string; links: Topic["others"] }) {
  return (
    <Panel title={title}>
      <ul className="topic__links">
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
