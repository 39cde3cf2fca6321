import * as build from "virtual:react-router/server-build";
import type { ServerBuild } from "react-router";
import { accountRoutes } from "./accounts/routes.ts";
import { secondFactorRoutes } from "./accounts/second-factor/routes.ts";
import { adminRoutes } from "./admin/routes.ts";
import { answerRoutes, replyRoutes } from "./answers/routes.ts";
import { JOBS } from "./background.ts";
import type { Config } from "./config.ts";
import { consultationRoutes } from "./consultations/routes.ts";
import { contactRoutes, inboxRoutes } from "./contact/routes.ts";
import { type ContextOverrides, openContext } from "./context.ts";
import { loadDemo } from "./demo/load.ts";
import { serveApi, serveWebhooks } from "./http/api.ts";
import { asAppError } from "./http/errors.ts";
import { servePhotos, serveShareImages } from "./http/images.ts";
import { serveIndexing } from "./http/indexing.ts";
import { openPageCache, type PageCache, type ReadOnce } from "./http/page-cache.ts";
import { servePages } from "./http/pages.ts";
import { openShell, resolveRequests } from "./http/shell.ts";
import { serveStaticFiles } from "./http/static-files.ts";
import { startWorkers } from "./jobs.ts";
import type { NodeMiddleware } from "./listen.ts";
import { demoRoutes } from "./mail/routes.ts";
import { goldRoutes } from "./memberships/grants/routes.ts";
import { paymentRoutes } from "./memberships/problems/routes.ts";
import { funnelRoutes, membershipRoutes, testPaymentRoutes } from "./memberships/routes.ts";
import { notificationRoutes } from "./notifications/routes.ts";
import { ownDataRoutes } from "./own-data/routes.ts";
import { psychologistRoutes } from "./psychologists/routes.ts";
import { reviewRoutes } from "./reviews/routes.ts";
import { safetyRoutes } from "./safety/routes.ts";
import { searchRoutes } from "./search/routes.ts";
import { api, authorizeFirst } from "./sessions/operations.ts";
import { uploadRoutes } from "./uploads/routes.ts";

const router = authorizeFirst(
  api.router({
    accounts: accountRoutes,
    ownData: ownDataRoutes,
    secondFactor: secondFactorRoutes,
    consultations: consultationRoutes,
    answers: answerRoutes,
    replies: replyRoutes,
    reviews: reviewRoutes,
    psychologists: psychologistRoutes,
    search: searchRoutes,
    uploads: uploadRoutes,
    safety: safetyRoutes,
    contact: contactRoutes,
    notifications: notificationRoutes,
    memberships: membershipRoutes,
    testPayments: testPaymentRoutes,
    inbox: inboxRoutes,
    payments: paymentRoutes,
    gold: goldRoutes,
    funnel: funnelRoutes,
    admin: adminRoutes,
    demo: demoRoutes,
  }),
);

export type App = Awaited<ReturnType<typeof openApp>>;
export type AppOptions = {
  config: Config;
  databaseUrl: string;
  overrides?: ContextOverrides;
  development?: boolean;
  workers?: boolean;
  clientFolder: string;
  /** False to render every page for each request. */
  pageCache?: boolean;
};

/** Builds the whole application: API, pages, workers. The only entry of the server build. */
export async function openApp({
  config,
  databaseUrl,
  overrides,
  development = false,
  workers = true,
  clientFolder,
  pageCache = true,
}: AppOptions) {
  const context = await openContext(config, databaseUrl, overrides);

  // Handlers run in this order.
  const app = openShell(context, () => cache?.settled());
  servePhotos(app, context);
  // Before the cookie and origin checks, because webhooks are authorised by their signature.
  serveWebhooks(app, context);
  resolveRequests(app, context);
  serveApi(app, context, router);
  const readOnce: ReadOnce = (key, read) => (cache ? cache.readOnce(key, read) : read());
  serveIndexing(app, context, readOnce);
  serveShareImages(app, context, clientFolder);
  servePages(app, context, router, {
    build: build as unknown as ServerBuild,
    development,
    readOnce,
    clientFolder,
  });

  const cache: PageCache | null =
    pageCache && !development
      ? await openPageCache(context, config.pooler?.directUrl ?? databaseUrl, async (request, shared) =>
          app.fetch(request, { peer: "", shared }),
        )
      : null;
  const files: NodeMiddleware = development
    ? (_request, _response, next) => next()
    : serveStaticFiles(clientFolder, config);
  const before: NodeMiddleware = (request, response, next) =>
    files(request, response, () => (cache ? cache.before(request, response, next) : next()));

  if (workers) await startWorkers(context, JOBS);

  return {
    context,
    cache,
    /** Handles requests that need no framework. Vite replaces it in development. */
    before,
    fetch: async (request: Request, peer: string) => app.fetch(request, { peer }),
    async close(): Promise<void> {
      await cache?.close();
      await context.close();
    },
  };
}

export { asAppError, loadDemo };
