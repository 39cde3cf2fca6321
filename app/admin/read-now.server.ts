import { redirect } from "react-router";
import { tabAddress } from "#app/admin/tabs.ts";
import type { NoticeKey } from "#app/lib/notices.ts";
import { act, announce, type PageContext, type PageRequest, page } from "#app/lib/page-request.server.ts";
import type { ReadingOutcome } from "#shared/plans.ts";

export type OutcomeNotices = Record<ReadingOutcome, NoticeKey>;

/**
 * Reads a payment provider now, shows the outcome and redirects to the list.
 * @param read the operation; it rejects a payment that needs no reading any more
 */
export async function readNow(
  args: PageRequest,
  notices: OutcomeNotices,
  read: (api: PageContext["api"]) => Promise<{ outcome: ReadingOutcome }>,
) {
  const list = tabAddress("membresias");
  const result = await act(args, async (here) => {
    announce(here, notices[(await read(here.api)).outcome]);
    throw redirect(list);
  });
  // Without JavaScript this path has no page. The list shows that the reading failed.
  const here = page(args);
  if (!here.isDocument) return result;
  announce(
    here,
    result.data.refused.code === "provider_unreachable" ? "payment_not_read" : "payment_settled_meanwhile",
  );
  throw redirect(list);
}
