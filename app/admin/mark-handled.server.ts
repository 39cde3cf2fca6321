import { redirect } from "react-router";
import type { FlashKey } from "#app/lib/flash-messages.ts";
import {
  formFields,
  getPageContext,
  type PageContext,
  type RouteArgs,
  runAction,
  setFlash,
} from "#app/lib/page-request.server.ts";

/**
 * Marks an entry of an admin list as handled and redirects to the list.
 * @param list path of the list
 * @param handle the operation; it rejects an entry that changed since it was loaded
 */
export async function markHandled(
  args: RouteArgs & { params: { id: string } },
  list: string,
  notice: FlashKey,
  handle: (api: PageContext["api"], entry: { id: string; version: string }) => Promise<unknown>,
) {
  const { version = "" } = formFields(args);
  const result = await runAction(args, async (ctx) => {
    await handle(ctx.api, { id: args.params.id, version });
    setFlash(ctx, notice);
    throw redirect(list);
  });
  // Without JavaScript this path has no page. The list shows the entry again.
  const ctx = getPageContext(args);
  if (!ctx.isDocument || result.data.actionError.code !== "version_conflict") return result;
  setFlash(ctx, "version_conflict");
  throw redirect(list);
}
