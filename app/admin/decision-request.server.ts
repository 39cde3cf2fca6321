import { redirect } from "react-router";
import { type PageContext, type RouteArgs, runLoader } from "#app/lib/page-request.server.ts";

/** Loads an admin page. Redirects an administrator without a second factor to its setup. */
export const loadDecision = <Result>(args: RouteArgs, work: (page: PageContext) => Promise<Result>) =>
  runLoader(args, async (ctx) => {
    try {
      return await work(ctx);
    } catch (error) {
      if ((error as { code?: string }).code !== "second_factor_required") throw error;
      throw redirect(`/cuenta/segundo-paso?volver=${args.url.pathname}`);
    }
  });
