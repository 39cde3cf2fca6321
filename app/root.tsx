import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteLoaderData,
} from "react-router";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { Footer } from "#app/layout/footer.tsx";
import { Header } from "#app/layout/header.tsx";
import { AuthProvider } from "#app/lib/auth-context.tsx";
import { pageError, resolveMessage } from "#app/lib/client-error-messages.ts";
import { FLASH_MESSAGES, type FlashKey } from "#app/lib/flash-messages.ts";
import {
  cacheLoaderData,
  ignoreAbortedRequests,
  networkErrorMiddleware,
  onStalePage,
  samePage,
  usePreloadFormRoutes,
} from "#app/lib/network-errors.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { getPageContext } from "#app/lib/page-request.server.ts";
import { canonicalUrl } from "#app/lib/structured-data.server.ts";
import { isTheme, THEME_COOKIE } from "#app/lib/theme.ts";
import { rememberPlace } from "#app/lib/way-back.ts";
import { Now } from "#app/ui/relative-time.tsx";
import { ToastProvider, useToast } from "#app/ui/toast.tsx";
import type { Route } from "./+types/root.ts";
import "#app/app.css";
import "#app/lib/older-browsers.ts";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { fetchSkeletons, SkeletonBoundary } from "#app/components/skeleton-boundary.tsx";
import { useDelayedNavigation } from "#app/lib/slow-navigation.ts";
import titleFont from "#app/ui/fonts/bricolage-titles.woff2?url";
import textFont from "#app/ui/fonts/figtree-text.woff2?url";

export function loader(args: Route.LoaderArgs) {
  const ctx = getPageContext(args);
  const [notice, about] = ctx.cookies.get("notice")?.split(".") ?? [];
  if (notice) ctx.cookies.clear("notice");
  const theme = ctx.cookies.plain(THEME_COOKIE);
  return {
    viewer: ctx.viewer(),
    sessionEndsAt: ctx.sessionEndsAt(),
    now: ctx.now.toISOString(),
    theme: isTheme(theme) ? theme : null,
    notice:
      notice && Object.hasOwn(FLASH_MESSAGES, notice)
        ? { ...FLASH_MESSAGES[notice as FlashKey], about, id: `${notice}-${ctx.now.getTime()}` }
        : null,
    canonical: canonicalUrl(args.url, ctx.publicUrl),
    donationUrl: ctx.donationUrl,
  };
}

/** Tags of an error page. Every other page has its own. */
export const meta: Route.MetaFunction = ({ error }) => pageMeta(pageError(error).title);

export function Layout({ children }: { children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>("root");
  return (
    <html lang="es" data-theme={data?.theme ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="preload" href={titleFont} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="preload" href={textFont} as="font" type="font/woff2" crossOrigin="anonymous" />
        <Meta />
        {data?.canonical && <link rel="canonical" href={data.canonical} />}
        <Links />
      </head>
      <body>
        <a className="skip-link" href="#contenido">
          Saltar al contenido
        </a>
        <PageAnnouncer />
        <ToastProvider flash={data?.notice}>
          <AuthProvider viewer={data?.viewer ?? null} endsAt={data?.sessionEndsAt ?? null}>
            <Header />
            <Now value={data?.now ?? new Date(0).toISOString()}>{children}</Now>
            <Footer donationUrl={data?.donationUrl ?? null} />
          </AuthProvider>
        </ToastProvider>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [networkErrorMiddleware];

export default function Root({ loaderData }: Route.ComponentProps) {
  const matches = useMatches();
  const location = useLocation();
  usePreloadFormRoutes();
  useEffect(ignoreAbortedRequests, []);
  const viewerId = loaderData.viewer?.id;
  useEffect(() => cacheLoaderData(location, matches, viewerId), [matches, location, viewerId]);
  useEffect(() => rememberPlace(location), [location]);
  const toast = useToast();
  useEffect(() => onStalePage((error) => toast({ ...resolveMessage(error), tone: "error" })), [toast]);
  const slow = useDelayedNavigation();
  // Prefetches the skeletons on the first press, which may start a navigation.
  useEffect(() => {
    const begin = () => void fetchSkeletons();
    for (const press of ["pointerdown", "keydown"]) addEventListener(press, begin, { once: true, passive: true });
  }, []);
  return (
    // Lists that change within a page have their own skeletons.
    <SkeletonBoundary
      on={slow !== null && !samePage(slow.pathname, location.pathname)}
      skeleton={({ SkeletonPage }) => slow && <SkeletonPage key={slow.key} to={slow} cover={!viewerId} />}
    >
      <Outlet />
    </SkeletonBoundary>
  );
}

/** Shown if even the root data failed to load. */
export const ErrorBoundary = ErrorPage;

function PageAnnouncer() {
  const { pathname, search } = useLocation();
  const path = pathname + search;
  const announced = useRef(path);
  const [shown, setShown] = useState({ path, title: "" });
  useEffect(() => {
    if (announced.current === path) return;
    announced.current = path;
    setShown({ path, title: document.title });
  }, [path]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {/* A new element announces the same title again, for example after another order. */}
      <span key={shown.path}>{shown.title}</span>
    </p>
  );
}
