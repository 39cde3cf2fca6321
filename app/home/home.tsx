import { type ExoticComponent, Fragment, lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { data, href } from "react-router";
import { SkeletonBoundary } from "#app/components/skeleton-boundary.tsx";
import { Feed, SORT_SLUGS, sortOf } from "#app/consultations/feed.tsx";
import type { NewAnswers } from "#app/consultations/own-panels.tsx";
import { CommunityPanel, DonationPanel, PsychologistSignUpPanel } from "#app/consultations/sidebar.tsx";
import type { HeaderHandle } from "#app/layout/header.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import type { HelpHandle } from "#app/lib/help-path.ts";
import { useHydrated } from "#app/lib/hydrated.ts";
import { readListParameters, redirectOnInvalidCursor } from "#app/lib/list-parameters.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { nullOnError, type PageContext, runLoader } from "#app/lib/page-request.server.ts";
import { useDelayedNavigation } from "#app/lib/slow-navigation.ts";
import { withQuery } from "#app/lib/with-query.ts";
import { Tabs } from "#app/ui/link-row.tsx";
import { CATEGORIES } from "#shared/categories.ts";
import type { OwnConsultationView } from "#shared/consultations.ts";
import { COUNTRIES, type Country } from "#shared/countries.ts";
import { excerpt } from "#shared/excerpt.ts";
import { PRODUCT_DESCRIPTION } from "#shared/product.ts";
import type { Route } from "./+types/home.ts";
import { CallToAction, Features, Hero } from "./hero-and-features.tsx";

const Ranking = lazy(() => import("#app/psychologists/ranking.tsx"));
/** Visitors do not load these. */
const OwnPanels = lazy(() => import("#app/consultations/own-panels.tsx"));
const ViewerStatus = lazy(() =>
  import("#app/consultations/own-panels.tsx").then((own) => ({ default: own.ViewerStatus })),
);
const NewAccountPanel = lazy(() => import("./new-account-panel.tsx"));

/** Surrounds lazy parts. Hydration does not wait for their code. A navigation waits, so that the page does not move. */
function LazyBoundary({ children }: { children: ReactNode }) {
  const hydrated = useHydrated();
  const [Boundary] = useState<ExoticComponent<{ children?: ReactNode }>>(hydrated ? Fragment : Suspense);
  // React replaces the document's markup if a boundary changes before its code arrives.
  return useMemo(() => <Boundary>{children}</Boundary>, [Boundary, children]);
}

/** Links to the consultation if all new answers are on one, otherwise to the profile. */
function newAnswersOf(count = 0, newest: readonly OwnConsultationView[] = []): NewAnswers | null {
  if (!count) return null;
  const [only, ...others] = newest.filter(({ new_answers }) => new_answers > 0);
  const all = only && !others.length && only.new_answers >= count;
  return { count, to: all ? href("/consulta/:id", { id: only.id }) : "/perfil" };
}

export const handle = {
  header: { countryFilter: true },
  // The user's own country has priority over the country of the list.
  helpCountry: (shown) => shown?.weekly?.country ?? shown?.country,
  failed: {
    load: failure("No se pudieron cargar las consultas"),
    "load ranking": failure("No se pudieron cargar los psicólogos"),
  },
} satisfies HeaderHandle & HelpHandle<Route.ComponentProps["loaderData"]> & FailureHandle;

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const { tab, country, category } = loaderData ?? {};
  const title =
    tab === "ranking"
      ? `Ranking de Psicólogos${country ? ` de ${country}` : ""}`
      : country || category
        ? `Consultas de ${[country ?? "todos los países", category].filter(Boolean).join(": ")}`
        : "Consultas de salud mental respondidas por profesionales";
  return pageMeta(title, PRODUCT_DESCRIPTION);
};

const NOTHING_OWN = { weekly: null, panel: null, mine: null, helpLines: null };

async function loadOwn(ctx: PageContext, ranked: boolean, country: Country | undefined) {
  const { api } = ctx;
  const userType = ctx.viewer()?.user_type;
  if (!userType) return NOTHING_OWN;
  if (userType === "psychologist")
    return { ...NOTHING_OWN, panel: await nullOnError(ctx, api.psychologists.panel({})) };
  const [weekly, mine] = await Promise.all([
    api.consultations.weeklyLimit({}),
    ranked ? null : nullOnError(ctx, api.consultations.mine({ peek: "yes" })),
  ]);
  const helpLines = ranked ? null : await api.safety.helpLines({ country: weekly.country ?? country });
  return { ...NOTHING_OWN, weekly, mine, helpLines };
}

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async (ctx) => {
    const { api, viewer, donationUrl } = ctx;
    const known = { vista: ["ranking"], pais: COUNTRIES, categoria: CATEGORIES, orden: SORT_SLUGS };
    const filters = readListParameters(args, known);
    const { pais: country, categoria: category } = filters;
    const sort = sortOf(filters.orden);
    const cursor = args.url.searchParams.get("cursor") || undefined;
    const ranked = filters.vista !== undefined;
    const me = viewer();
    const readFeed = () => nullOnError(ctx, api.consultations.list({ country, category, sort, cursor }));
    const [feed, ranking, community, { weekly, panel, mine, helpLines }] = await Promise.all([
      ranked ? null : redirectOnInvalidCursor(args, readFeed()),
      ranked ? nullOnError(ctx, api.psychologists.ranking({ country })) : null,
      api.consultations.community({}),
      loadOwn(ctx, ranked, country),
    ]);
    const last = mine?.items[0];
    // Cards show three lines. Psychologists get the whole text for the answer dialog.
    const isWhole = me?.user_type === "psychologist";
    const shown = {
      // A filtered list has no hero, so that the results are visible.
      cover: !me && !Object.values({ ...filters, cursor }).some(Boolean),
      tab: ranked ? ("ranking" as const) : ("feed" as const),
      feed: feed && {
        ...feed,
        items: isWhole ? feed.items : feed.items.map((item) => ({ ...item, content: excerpt(item.content) })),
      },
      ranking,
      community,
      weekly,
      panel,
      last: last ? { id: last.id, answers: last.response_count } : null,
      newAnswers: newAnswersOf(me?.new_answers, mine?.items),
      helpLines,
      country: country ?? null,
      category: category ?? null,
      sort,
      donationUrl,
    };
    return data(shown, feed || ranking ? undefined : { status: 503 });
  });

export default function Home({ loaderData }: Route.ComponentProps) {
  const { viewer } = useAuth();
  const { tab: shown, community, weekly, panel, last, donationUrl, ranking, country } = loaderData;
  const slow = useDelayedNavigation();
  const nextTab = new URLSearchParams(slow?.search).get("vista") === "ranking" ? "ranking" : "feed";
  const next = slow?.pathname === "/" ? nextTab : null;
  const current = next ?? shown;
  // The country filter applies to both tabs. The other filters do not.
  const tabAddress = (vista: string | null) => `${withQuery("/", { vista, pais: country })}#consultas`;
  return (
    <main id="contenido" className="page">
      {loaderData.cover && <Hero explore="#consultas" />}
      <div className="section split" id="consultas">
        <div>
          {viewer && shown === "feed" && (
            <LazyBoundary>
              <ViewerStatus panel={panel} last={last} newAnswers={loaderData.newAnswers} />
            </LazyBoundary>
          )}
          <Tabs
            label="Secciones"
            className="home__tabs"
            items={[
              { to: tabAddress(null), label: "Consultas Públicas", current: current === "feed" },
              { to: tabAddress("ranking"), label: "Ranking de Psicólogos", current: current === "ranking" },
            ]}
          />
          <SkeletonBoundary
            on={next !== null && next !== shown}
            skeleton={({ SkeletonTab }) => <SkeletonTab ranking={next === "ranking"} />}
          >
            {shown === "ranking" ? (
              <LazyBoundary>
                <Ranking psychologists={ranking} country={country} waiting={next !== null} />
              </LazyBoundary>
            ) : (
              <Feed {...loaderData} waiting={next !== null} />
            )}
          </SkeletonBoundary>
        </div>
        <aside className="aside" aria-label="Comunidad">
          <LazyBoundary>
            {viewer && <OwnPanels weekly={weekly} panel={viewer.user_type === "psychologist" ? panel : undefined} />}
            <CommunityPanel numbers={community} />
            {donationUrl && <DonationPanel url={donationUrl} />}
            {viewer ? viewer.user_type === "user" && <NewAccountPanel /> : <PsychologistSignUpPanel />}
          </LazyBoundary>
        </aside>
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
