import { lazy, Suspense, useEffect, useRef, useState } from "react";
import {
  data,
  Link,
  type ShouldRevalidateFunctionArgs,
  useFetcher,
  useLocation,
  useNavigation,
  useSearchParams,
} from "react-router";
import { ConsultationCard } from "#app/consultations/consultation-card.tsx";
import {
  CommunityPanel,
  DonationPanel,
  PsychologistCall,
  PsychologistPanel,
  WeeklyPanel,
} from "#app/consultations/sidebar.tsx";
import { load, orNull } from "#app/lib/api.server.ts";
import { OWN_WORDS } from "#app/lib/page-error.ts";
import { useRefusalToast } from "#app/lib/refusal.ts";
import { CallToAction, Features, Hero } from "#app/shell/landing-parts.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Chips } from "#app/ui/chips.tsx";
import { EmptyState, ErrorState, Retry } from "#app/ui/empty-state.tsx";
import { FilterSelect } from "#app/ui/filter-select.tsx";
import { PlusIcon } from "#app/ui/icon.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { FeedView } from "#shared/consultations.ts";
import { CATEGORIES, CONSULTATION_SORTS, type ConsultationSort } from "#shared/lists.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/home.ts";

/** The other tab, loaded with its list. Without a boundary of its own: until it is there, what was on screen stays. */
const Ranking = lazy(() => import("#app/psychologists/ranking.tsx"));

/** Loaded when somebody asks: visitors, who are most, never need it. */
const AskDialog = lazy(() =>
  import("#app/consultations/ask-dialog.tsx").catch(() => {
    // The network failed: the same form is a page of its own, and the browser knows how to try that again.
    location.assign("/nueva-consulta");
    return new Promise<never>(() => {});
  }),
);

export const handle = { header: { countryFilter: true } };

const SORT_LABELS: Record<ConsultationSort, string> = {
  recent: "Más recientes",
  oldest: "Más antiguas",
  votes: "Más votadas",
  responses: "Más respondidas",
};
/** Words of the address, in Spanish, for the sorts of the API. */
const SORT_WORDS: Record<ConsultationSort, string> = {
  recent: "recientes",
  oldest: "antiguas",
  votes: "votadas",
  responses: "respondidas",
};
const sortOf = (word: string | null) => CONSULTATION_SORTS.find((sort) => SORT_WORDS[sort] === word);

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: loaderData?.ranking
      ? `Ranking de Psicólogos${loaderData.country ? ` de ${loaderData.country}` : ""} · ${PRODUCT_NAME}`
      : loaderData?.country
        ? `Consultas de ${loaderData.country} · ${PRODUCT_NAME}`
        : `${PRODUCT_NAME} · Consultas de salud mental respondidas por profesionales`,
  },
  {
    name: "description",
    content:
      "Consultas de salud mental, anónimas si quieres, respondidas por psicólogas y psicólogos con matrícula verificada.",
  },
];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async (here) => {
    const { api, viewer, now, donationUrl } = here;
    const parameters = new URL(args.request.url).searchParams;
    const given = (name: string) => parameters.get(name) || undefined;
    const country = given("pais");
    const category = given("categoria");
    const sort = sortOf(parameters.get("orden")) ?? "recent";
    const ranked = parameters.get("vista") === "ranking";
    const me = viewer();
    const mayAsk = me?.user_type === "user";
    // Of the two tabs only the one that is shown is loaded. An unknown country or category in the address is refused by
    // the operation, with its words.
    const [feed, ranking, community, weekly, panel] = await Promise.all([
      ranked
        ? null
        : orNull(
            here,
            api.consultations.list({ country, category, sort, cursor: given("cursor") } as Parameters<
              typeof api.consultations.list
            >[0]),
          ),
      ranked ? api.psychologists.ranking({ country } as Parameters<typeof api.psychologists.ranking>[0]) : null,
      api.consultations.community({}),
      mayAsk ? api.consultations.weeklyLimit({}) : null,
      me?.user_type === "psychologist" ? orNull(here, api.psychologists.panel({})) : null,
    ]);
    const helpLines = weekly && feed && (await api.safety.helpLines({ country: country ?? weekly.country }));
    const shown = {
      feed,
      ranking,
      community,
      weekly,
      panel,
      helpLines,
      country: country ?? null,
      category: category ?? null,
      sort,
      viewer: me && { id: me.id, user_type: me.user_type, is_verified: me.is_verified },
      now: now.toISOString(),
      donationUrl,
    };
    return data(shown, feed || ranking ? undefined : { status: 503 });
  });

/** More of the same list does not change who is looking at it: votes and answers elsewhere reload it, scrolling does not. */
export const shouldRevalidate = ({
  formMethod,
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) => (formMethod || currentUrl.href !== nextUrl.href ? defaultShouldRevalidate : true);

export default function Home({ loaderData }: Route.ComponentProps) {
  const { viewer, community, weekly, panel, donationUrl, feed, ranking, country } = loaderData;
  // The country stays when the tab changes; what belongs to one tab alone does not.
  const tab = (view: string) => {
    const query = new URLSearchParams({ ...(view && { vista: view }), ...(country && { pais: country }) }).toString();
    return `/${query ? `?${query}` : ""}#consultas`;
  };
  const aside = (
    <aside className="aside" aria-label="Comunidad">
      {weekly && <WeeklyPanel limit={weekly} />}
      {viewer?.user_type === "psychologist" && <PsychologistPanel panel={panel} />}
      <CommunityPanel numbers={community} />
      {donationUrl && <DonationPanel url={donationUrl} />}
      {viewer?.user_type !== "psychologist" && <PsychologistCall />}
    </aside>
  );
  return (
    <main id="contenido" className="page">
      {!viewer && <Hero explore="#consultas" />}
      <div className="section split" id="consultas">
        <div>
          <Tabs
            label="Secciones"
            className="home__tabs"
            items={[
              { to: tab(""), label: "Consultas Públicas", current: ranking === null },
              { to: tab("ranking"), label: "Ranking de Psicólogos", current: ranking !== null },
            ]}
          />
          {feed && <Feed {...loaderData} feed={feed} />}
          {!feed && !ranking && (
            <ErrorState title={OWN_WORDS.consultations_not_loaded.description} action={<Retry />} />
          )}
          {ranking && (
            <Ranking
              psychologists={ranking}
              country={country}
              signedIn={viewer !== null}
              viewerId={viewer?.id ?? null}
              headingLevel={viewer ? "h1" : "h2"}
            />
          )}
        </div>
        {aside}
      </div>
      {!viewer && (
        <>
          <Features />
          <CallToAction explore="#consultas" />
        </>
      )}
    </main>
  );
}

type FeedData = Route.ComponentProps["loaderData"] & { feed: FeedView };

/** Pages already loaded, by place in the history: coming back from a consultation finds the list as it was. */
const keptPages = new Map<string, FeedView>();

function useMorePages(first: FeedView) {
  const { key } = useLocation();
  const fetcher = useFetcher<typeof loader>();
  useRefusalToast(fetcher.data);
  const [more, setMore] = useState<FeedView | null>(() =>
    typeof document === "undefined" ? null : (keptPages.get(key) ?? null),
  );
  const place = useRef(key);
  useEffect(() => {
    if (place.current === key) return;
    place.current = key;
    setMore(keptPages.get(key) ?? null);
  }, [key]);
  useEffect(() => {
    const loaded = fetcher.data?.feed;
    if (!loaded) return;
    setMore((before) => {
      const all = before?.items ?? [];
      if (loaded.items.some((item) => all.some((known) => known.id === item.id))) return before;
      const joined = { items: [...all, ...loaded.items], next_cursor: loaded.next_cursor };
      keptPages.set(place.current, joined);
      return joined;
    });
  }, [fetcher.data]);
  const shown = new Set(first.items.map((item) => item.id));
  return {
    items: [...first.items, ...(more?.items.filter((item) => !shown.has(item.id)) ?? [])],
    next: more ? more.next_cursor : first.next_cursor,
    busy: fetcher.state !== "idle",
    load: (address: string) => void fetcher.load(address),
  };
}

function Feed({ feed, viewer, weekly, helpLines, country, category, sort, now }: FeedData) {
  const [parameters] = useSearchParams();
  const navigation = useNavigation();
  const { items, next, busy, load: loadMore } = useMorePages(feed);
  const [asking, setAsking] = useState(false);
  const address = (changes: Record<string, string | null>, hash = "#consultas") => {
    const changed = new URLSearchParams(parameters);
    changed.delete("cursor");
    changed.delete("index");
    for (const [name, value] of Object.entries(changes)) value ? changed.set(name, value) : changed.delete(name);
    const query = changed.toString();
    return `/${query ? `?${query}` : ""}${hash}`;
  };
  const limitReached = weekly !== null && weekly.used >= weekly.max_consultations;
  const searching =
    navigation.state === "loading" &&
    navigation.location.pathname === "/" &&
    navigation.location.search !== `?${parameters}`;
  const Heading = viewer ? "h1" : "h2";
  return (
    <section aria-labelledby="lista">
      <div className="feed__head row between">
        <Heading id="lista" className="h-l">
          {country ? `Consultas de ${country}` : "Consultas de todos los países"}
        </Heading>
        <div className="feed__tools row">
          {viewer?.user_type !== "psychologist" && (
            <ButtonLink
              to={viewer ? "/nueva-consulta" : "/auth?volver=/nueva-consulta"}
              small
              icon={!limitReached && <PlusIcon />}
              aria-disabled={limitReached || undefined}
              onClick={(event) => {
                if (!viewer || event.metaKey || event.ctrlKey) return;
                event.preventDefault();
                setAsking(true);
              }}
            >
              {limitReached ? "Límite alcanzado" : "Nueva Consulta"}
            </ButtonLink>
          )}
          <FilterSelect
            label="Ordenar"
            name="orden"
            value={SORT_WORDS[sort]}
            action="/"
            keep={{ pais: country, categoria: category }}
            button="Ordenar"
          >
            {CONSULTATION_SORTS.map((name) => (
              <option key={name} value={SORT_WORDS[name]}>
                {SORT_LABELS[name]}
              </option>
            ))}
          </FilterSelect>
        </div>
      </div>
      <p className="sr" role="status">
        {searching ? "Buscando…" : ""}
      </p>
      {asking && weekly && helpLines && (
        <Suspense>
          <AskDialog
            limit={weekly}
            helpLines={helpLines}
            country={country ?? undefined}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
      <Chips
        className="feed__chips"
        label="Categorías"
        items={[
          { to: address({ categoria: null }), label: "Todas", current: category === null },
          ...CATEGORIES.map((name) => ({ to: address({ categoria: name }), label: name, current: category === name })),
        ]}
      />
      {items.length === 0 ? (
        <EmptyState
          title="No hay consultas para mostrar en este país."
          action={<Link to="/#consultas">Quitar los filtros</Link>}
        />
      ) : (
        <div className="feed" aria-busy={searching}>
          {items.map((consultation) => (
            <ConsultationCard
              key={consultation.id}
              consultation={consultation}
              now={now}
              canRespond={viewer?.user_type === "psychologist"}
              headingLevel={viewer ? "h2" : "h3"}
            />
          ))}
          <LoadMore
            to={next && address({ cursor: next })}
            busy={busy}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || !next) return;
              event.preventDefault();
              const target = new URL(address({ cursor: next }, ""), location.origin);
              target.searchParams.append("index", "");
              loadMore(target.pathname + target.search);
            }}
          />
        </div>
      )}
    </section>
  );
}
