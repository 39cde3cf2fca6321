import { redirect } from "react-router";
import type { FlashKey } from "#app/lib/flash-messages.ts";
import type { Submission } from "#app/lib/form-action.server.ts";
import { redirectOnInvalidCursor } from "#app/lib/list-parameters.server.ts";
import { nullOnError, type PageContext, type RouteArgs, runLoader } from "#app/lib/page-request.server.ts";

export const loadAdminPage = <Result>(args: RouteArgs, work: (page: PageContext) => Promise<Result>) =>
  runLoader(args, async (ctx) => {
    try {
      return await work(ctx);
    } catch (error) {
      if ((error as { code?: string }).code !== "second_factor_required") throw error;
      throw redirect("/cuenta/segundo-paso");
    }
  });

type SectionRequest = PageContext & {
  /** Parameters of the URL. */
  query: Record<string, string>;
  /** Returns null if the list fails to load. Redirects to the first page if the cursor is invalid. */
  orNull<List>(list: Promise<List>): Promise<List | null>;
};

/** Loads the lists of a section. The loader of `desk.tsx` rejects all viewers except the administrator. */
export const loadSection = <Data extends object>(args: RouteArgs, work: (page: SectionRequest) => Promise<Data>) =>
  runLoader(args, async (ctx) => {
    const query = Object.fromEntries(args.url.searchParams);
    const orNull: SectionRequest["orNull"] = (list) => redirectOnInvalidCursor(args, nullOnError(ctx, list));
    return { ...(await work({ ...ctx, query, orNull })), query };
  });

/** Returns to the section with a toast about the row of the form. */
export const backToSection = ({ args: { url }, fields, leave }: Submission, notice: FlashKey) =>
  leave(url.pathname + url.search, notice, fields.target_id ?? fields.id);

export const decide = (notice: FlashKey, run: (form: Submission) => Promise<unknown>) => async (form: Submission) => {
  await run(form);
  return backToSection(form, notice);
};

export const undo = decide("decision_undone", ({ api, input }) => api.admin.undo(input("id")));

export const reject = decide("psychologist_rejected", ({ api, input }) =>
  api.admin.reject(input("id", "version", "reason")),
);

export const approve = (notice: FlashKey) =>
  decide(notice, ({ api, input }) => api.admin.approve(input("id", "version")));
