import { Link } from "react-router";
import { pageMeta } from "#app/lib/page-meta.ts";
import type { Route } from "./+types/topics.ts";
import { TopicLinks } from "./topic.tsx";
import { allTopics } from "./topic-introductions.server.ts";

export const meta: Route.MetaFunction = () =>
  pageMeta(
    "Temas y países",
    "Consultas de salud mental por tema y por país, con respuestas de psicólogas y psicólogos con matrícula verificada.",
  );

export const loader = allTopics;

export default function Topics({ loaderData: { topics, countries } }: Route.ComponentProps) {
  return (
    <main id="contenido" className="page split topic">
      <div>
        <header className="topic__head">
          <h1 className="title-xl">Temas y países</h1>
          <p className="topic__text">
            Lee lo que otras personas preguntaron y lo que profesionales con matrícula verificada les respondieron.
            Elige un tema, o el país desde el que preguntan.
          </p>
        </header>
        <h2 className="title-l">De qué se habla</h2>
        <ul className="related topics__cards">
          {topics.map(({ name, to, text }, at) => (
            <li key={to} className={`tint-${(at % 8) + 1}`}>
              <Link className="title-link cover-link" to={to}>
                {name}
              </Link>
              <p className="text-muted topics__text">{text}</p>
            </li>
          ))}
        </ul>
      </div>
      <aside className="aside" aria-label="Países">
        <TopicLinks title="Desde dónde se pregunta" links={countries} />
      </aside>
    </main>
  );
}
