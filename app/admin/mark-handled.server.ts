import { redirect } from "react-router";
import type { NoticeKey } from "#app/lib/notices.ts";
import { act, announce, fieldsOf, type PageContext, type PageRequest, page } from "#app/lib/page-request.server.ts";

/**
 * Marks an entry of the admin's lists as handled, and leads back to its list.
 * @param list the address of the list
 * @param handle the operation; it refuses an entry that has changed since it was shown
 */
export async function markHandled(
  args: PageRequest & { params: { id: string } },
  list: string,
  notice: NoticeKey,
  handle: (api: PageContext["api"], entry: { id: string; version: string }) => Promise<unknown>,
) {
  const { version = "" } = fieldsOf(args);
  const result = await act(args, async (here) => {
    await handle(here.api, { id: args.params.id, version });
    announce(here, notice);
    throw redirect(list);
  });
  // Without JavaScript there is no page at this address: the list shows the entry again.
  const here = page(args);
  if (!here.isDocument || result.data.refused.code !== "changed_meanwhile") return result;
  announce(here, "changed_meanwhile");
  throw redirect(list);
}
