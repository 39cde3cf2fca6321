import { redirect } from "react-router";
import { tabAddress } from "#app/admin/tabs.ts";
import type { NoticeKey } from "#app/lib/notices.ts";
import { act, announce, type PageContext, type PageRequest, page } from "#app/lib/page-request.server.ts";
import type { ReadingOutcome } from "#shared/plans.ts";

/** What is said of each outcome of a reading. */
export type OutcomeNotices = Record<ReadingOutcome, NoticeKey>;

/**
 * Reads a payment provider at once, says what came of it, and leads back to the list.
 * @param read the operation; it refuses what needs no reading any more
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
  // Without JavaScript there is no page at this address: the list says that nothing was read.
  const here = page(args);
  if (!here.isDocument) return result;
  announce(
    here,
    result.data.refused.code === "provider_unreachable" ? "payment_not_read" : "payment_settled_meanwhile",
  );
  throw redirect(list);
}
