import { useEffect, useRef, useState } from "react";
import { Form, href, Link } from "react-router";
import { AskLink } from "#app/components/ask-link.tsx";
import { VerifiedBadge } from "#app/components/badges.tsx";
import { MoreItems } from "#app/components/more-items.tsx";
import { ConsultationFrame } from "#app/consultations/consultation-card.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { useFetched } from "#app/lib/fetched.ts";
import { formatCount, pluralize } from "#app/lib/format.ts";
import type { HelpHandle } from "#app/lib/help-path.ts";
import { readListParameters, redirectOnInvalidCursor } from "#app/lib/list-parameters.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { runLoader } from "#app/lib/page-request.server.ts";
import { usePagedList } from "#app/lib/paged-list.ts";
import { withQuery } from "#app/lib/with-query.ts";
import { HelpLinesStrip } from "#app/safety/first-calls.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { FilterSelect, HiddenFields } from "#app/ui/filter-select.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Chips } from "#app/ui/link-row.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import type { FoundConsultationView, SearchView, TitleView } from "#shared/search.ts";
import { tintOf } from "#shared/tint.ts";
import type { Route } from "./+types/search.ts";
import "./search.css";

export const handle = {
  helpCountry: (shown) => shown?.helpLines?.country ?? shown?.filters.pais,
  failed: { load: failure("No se pudieron cargar las consultas") },
} satisfies HelpHandle<Route.ComponentProps["loaderData"]> & FailureHandle;

/** A page of results is not for search engines. */
export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData?.found.q
    ? pageMeta(`${loaderData.found.q}: ${countText(loaderData.found)}`)
    : pageMeta("Buscar", "Busca consultas sobre salud mental por palabras, país o tema, y psicólogos verificados.");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, viewer }) => {
    const known = { pais: COUNTRIES, categoria: CATEGORIES, respuestas: ["si"] };
    const { pais = null, categoria = null, respuestas = null } = readListParameters(args, known);
    const filters = { pais, categoria, respuestas };
    const given = (name: string) => args.url.searchParams.get(name) || undefined;
    const found = await redirectOnInvalidCursor(
      args,
      api.search.consultations({
        // Any typed text is a search.
        q: given("q")
          ?.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}]+|\ufffd/gu, " ")
          .slice(0, LIMITS.content.max),
        country: pais ?? undefined,
        category: categoria ?? undefined,
        answered: respuestas ? "yes" : undefined,
        cursor: given("cursor"),
      }),
    );
    const own = viewer()?.user_type === "user" ? await api.consultations.weeklyLimit({}) : null;
    // The user's own country has priority over the filter.
    const helpLines = await api.safety.helpLines({ country: own?.country ?? pais ?? undefined });
    return { found, filters, helpLines };
  });

export default function Search({ loaderData }: Route.ComponentProps) {
  const { found, filters, helpLines } = loaderData;
  const mayAsk = useAuth().viewer?.user_type !== "psychologist";
  const { q, total, corrected, psychologists, in_danger } = found;
  const address = (changes: Record<string, string | null>) => withQuery("/buscar", { q, ...filters, ...changes });
  const chip = (label: string, changes: Record<string, string | null>, current: boolean) => ({
    label,
    to: address(changes),
    current,
  });
  const more = usePagedList<FoundConsultationView>(found, (cursor) => {
    const { pais: country, categoria: category, respuestas } = filters;
    return withQuery("/api/search", { q, cursor, country, category, answered: respuestas && "yes" });
  });
  const filtered = Object.values(filters).some(Boolean);
  const help = (
    <div className="search-part">
      <HelpLinesStrip lines={helpLines} />
    </div>
  );
  return (
    <main id="contenido" className="page section">
      <h1 className="visually-hidden">Buscar</h1>
      <div className="thread">
        <SearchForm q={q} keep={filters} />
        {in_danger && help}
        {q && (
          <>
            <Chips
              label="Filtros"
              items={[
                chip("Todas", { categoria: null, respuestas: null }, !filters.categoria && !filters.respuestas),
                chip("Con respuesta", { respuestas: filters.respuestas ? null : "si" }, filters.respuestas !== null),
                ...CATEGORIES.map((name) =>
                  chip(name, { categoria: filters.categoria === name ? null : name }, filters.categoria === name),
                ),
              ]}
            />
            <div className="row row--apart text-muted small search-count">
              <p>{countText(found)}</p>
              <FilterSelect
                label="País"
                name="pais"
                value={filters.pais ?? ""}
                action="/buscar"
                keep={{ q, categoria: filters.categoria, respuestas: filters.respuestas }}
                icon={<Icon name="pin" size="s" />}
                button="Ver"
                none="Todos los países"
                options={COUNTRIES}
              />
            </div>
          </>
        )}
        {corrected.length > 0 && total > 0 && (
          <p className="text-muted small search-count">
            También buscamos {corrected.map((word) => `«${word}»`).join(", ")}.
          </p>
        )}
        {psychologists.length > 0 && <FoundPsychologists psychologists={psychologists} />}
        {total > 0 ? (
          <div className="feed">
            {more.items.map((consultation) => (
              <ConsultationFrame
                key={consultation.id}
                consultation={{ ...consultation, content: marked(consultation.content_parts) }}
                heading={marked(consultation.title_parts)}
                headingLevel="h2"
              />
            ))}
            <MoreItems list={more} to={(cursor) => address({ cursor })} failed="No se pudieron cargar las consultas" />
          </div>
        ) : (
          <>
            <EmptyState
              title={q ? "No encontramos nada parecido" : "Busca con tus palabras"}
              action={
                <>
                  {q && filtered && <Link to={`/buscar?${new URLSearchParams({ q })}`}>Quitar los filtros</Link>}
                  {mayAsk && <AskLink />}
                  <p className="faint">O mira por tema</p>
                  <p className="row">
                    {CATEGORIES.map((name) => (
                      <Link key={name} className="chip" to={`/?${new URLSearchParams({ categoria: name })}#consultas`}>
                        {name}
                      </Link>
                    ))}
                  </p>
                </>
              }
            >
              {q
                ? `Eso no quiere decir que solo te pase a ti. Prueba con menos palabras${mayAsk ? ", o pregúntalo: puede ser sin tu nombre" : ""}.`
                : "Como se lo contarías a alguien: «no puedo dormir», «mi mamá me controla»."}
            </EmptyState>
            {q && !in_danger && help}
          </>
        )}
      </div>
    </main>
  );
}

function countText({ total }: SearchView): string {
  if (!total) return "Ninguna consulta habla de algo parecido";
  if (total > LIMITS.search.ranked)
    return `Más de ${formatCount(LIMITS.search.ranked)} consultas hablan de algo parecido`;
  return `${pluralize(total, "consulta habla", "consultas hablan")} de algo parecido`;
}

const FoundPsychologists = ({ psychologists }: { psychologists: SearchView["psychologists"] }) => (
  <Panel title="Psicólogos" className="search-part">
    <ul className="stack above-3 search-psychologists">
      {psychologists.map(({ id, full_name, avatar_url, specialty, country }) => (
        <li key={id} className={`tint-${tintOf(id)}`}>
          <Avatar name={full_name} src={avatar_url} />
          <p>
            <Link to={href("/psicologo/:id", { id })}>{full_name}</Link> <VerifiedBadge />
            <span className="text-muted">{[specialty, country].filter(Boolean).join(" · ")}</span>
          </p>
        </li>
      ))}
    </ul>
  </Panel>
);

/** Renders the parts of a text. Every second one, from the second on, is a match. */
const marked = (parts: readonly string[]) =>
  parts.map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity
    at % 2 ? <mark key={at}>{part}</mark> : part,
  );

/** Time from the last key to the request of suggestions, in milliseconds. */
const PAUSE_MS = 250;

function SearchForm({ q, keep }: { q: string; keep: Readonly<Record<string, string | null>> }) {
  const [typed, setTyped] = useState("");
  const enough = typed.trim().length > 1;
  const suggestions = useFetched<TitleView[]>(
    enough ? `/api/search/suggestions?${new URLSearchParams({ q: typed })}` : null,
    { pauseMs: PAUSE_MS },
  );
  const input = useRef<HTMLInputElement>(null);
  const shown = useRef(q);
  // Shows the words of the results after Back. Not a key: a remounted field would lose the focus.
  useEffect(() => {
    if (input.current && shown.current !== q) input.current.value = q;
    shown.current = q;
  }, [q]);
  return (
    <Form action="/buscar" role="search" aria-label="Buscar consultas" className="search-bar">
      <Icon name="search" />
      <HiddenFields fields={keep} />
      <input
        ref={input}
        name="q"
        type="search"
        aria-label="¿Qué te pasa?"
        placeholder="No puedo dormir"
        defaultValue={q}
        maxLength={LIMITS.search.characters}
        list="sugerencias"
        autoComplete="off"
        enterKeyHint="search"
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <datalist id="sugerencias">
        {suggestions?.map(({ id, title }) => (
          <option key={id} value={title} />
        ))}
      </datalist>
      <Button type="submit" small>
        Buscar
      </Button>
    </Form>
  );
}
