import { redirect } from "react-router";
import { load, type PageContext, type PageRequest } from "#app/lib/page-request.server.ts";

/** Loads an admin page. Redirects an administrator without a second factor to its setup. */
export const loadDecision = <Result>(args: PageRequest, work: (page: PageContext) => Promise<Result>) =>
  load(args, async (here) => {
    try {
      return await work(here);
    } catch (error) {
      if ((error as { code?: string }).code !== "second_factor_required") throw error;
      throw redirect(`/cuenta/segundo-paso?volver=${args.url.pathname}`);
    }
  });
