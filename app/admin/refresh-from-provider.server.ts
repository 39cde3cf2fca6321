import { redirect } from "react-router";
import { tabPath } from "#app/admin/tabs.ts";
import type { FlashKey } from "#app/lib/flash-messages.ts";
import { getPageContext, type PageContext, type RouteArgs, runAction, setFlash } from "#app/lib/page-request.server.ts";
import type { RefreshOutcome } from "#shared/plans.ts";

export type RefreshMessages = Record<RefreshOutcome, FlashKey>;

/**
 * Reads a payment provider now, shows the outcome and redirects to the list.
 * @param read the operation; it rejects a payment that needs no reading any more
 */
export async function refreshFromProvider(
  args: RouteArgs,
  notices: RefreshMessages,
  read: (api: PageContext["api"]) => Promise<{ outcome: RefreshOutcome }>,
) {
  const list = tabPath("membresias");
  const result = await runAction(args, async (ctx) => {
    setFlash(ctx, notices[(await read(ctx.api)).outcome]);
    throw redirect(list);
  });
  // Without JavaScript this path has no page. The list shows that the reading failed.
  const ctx = getPageContext(args);
  if (!ctx.isDocument) return result;
  setFlash(
    ctx,
    result.data.actionError.code === "provider_unreachable" ? "payment_not_read" : "payment_settled_meanwhile",
  );
  throw redirect(list);
}
