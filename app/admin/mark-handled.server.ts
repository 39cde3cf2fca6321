import { redirect } from "react-router";
import type { NoticeKey } from "#app/lib/notices.ts";
import { act, announce, fieldsOf, type PageContext, type PageRequest, page } from "#app/lib/page-request.server.ts";

/**
 * Marks an entry of an admin list as handled and redirects to the list.
 * @param list path of the list
 * @param handle the operation; it rejects an entry that changed since it was loaded
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
  // Without JavaScript this path has no page. The list shows the entry again.
  const here = page(args);
  if (!here.isDocument || result.data.refused.code !== "changed_meanwhile") return result;
  announce(here, "changed_meanwhile");
  throw redirect(list);
}
