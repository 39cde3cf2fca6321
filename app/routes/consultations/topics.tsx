import { Link } from "react-router";
import { allTopics } from "#app/consultations/topics.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import type { Route } from "./+types/topics.ts";
import "#app/consultations/topic-page.css";

export const meta: Route.MetaFunction = () =>
  pageMeta(
    "Temas y países",
    "Consultas de salud mental por tema y por país, con respuestas de psicólogas y psicólogos con matrícula verificada.",
  );

export const loader = allTopics;

export default function Topics({ loaderData: { topics, countries } }: Route.ComponentProps) {
  return (
    <main id="contenido" className="page section">
      <h1 className="title-xl">Temas y países</h1>
      <TopicLinks id="temas" title="De qué se habla" links={topics} />
      <TopicLinks id="paises" title="Desde dónde" links={countries} />
    </main>
  );
}

function TopicLinks({ id, title, links }: { id: string; title: string; links: { name: string; to: string }[] }) {
  return (
    <section className="topics__part" aria-labelledby={id}>
      <h2 id={id} className="title-l">
        {title}
      </h2>
      <ul className="topic__links">
        {links.map(({ name, to }) => (
          <li key={to}>
            <Link to={to} className="chip">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
