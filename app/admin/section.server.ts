import { redirect } from "react-router";
import type { FlashKey } from "#app/lib/flash-messages.ts";
import { formAction, type Submission } from "#app/lib/form-action.server.ts";
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
  given(name: string): string | undefined;
  /** Returns null if the list fails to load. Redirects to the first page if the cursor is invalid. */
  orNull<List>(list: Promise<List>): Promise<List | null>;
};

/** Loads the lists of a section. The loader of `desk.tsx` rejects all viewers except the administrator. */
export const loadSection = <Data extends object>(args: RouteArgs, work: (page: SectionRequest) => Promise<Data>) =>
  runLoader(args, async (ctx) => {
    const data = await work({
      ...ctx,
      given: (name) => args.url.searchParams.get(name) || undefined,
      orNull: (list) => redirectOnInvalidCursor(args, nullOnError(ctx, list)),
    });
    return { ...data, query: Object.fromEntries(args.url.searchParams) };
  });

type Decide = (api: PageContext["api"], form: { id: string; version: string; reason: string }) => Promise<FlashKey>;

export const sectionAction = (intents: Record<string, Decide>) => {
  const handlers = Object.entries(intents).map(([intent, run]) => [
    intent,
    async ({ api, args, fields, leave }: Submission) => {
      const { id = "", reason = "", version = "", target_id = id } = fields;
      const notice = await run(api, { id, version, reason });
      return leave(args.url.pathname + args.url.search, notice, target_id);
    },
  ]);
  return formAction<Record<string, (form: Submission) => Promise<Response>>>(Object.fromEntries(handlers));
};

export const decide =
  (notice: FlashKey, run: (...parts: Parameters<Decide>) => Promise<unknown>): Decide =>
  async (...parts) => {
    await run(...parts);
    return notice;
  };

export const undo = decide("decision_undone", ({ admin }, { id }) => admin.undo({ id }));

export const reject = decide("psychologist_rejected", ({ admin }, form) => admin.reject(form));

export const approve = (notice: FlashKey) =>
  decide(notice, ({ admin }, { id, version }) => admin.approve({ id, version }));
