import type { TabRequest } from "#app/admin/tab-request.server.ts";

export const loadInbox = async ({ api, orNull }: TabRequest) => ({ inbox: await orNull(api.inbox.read({})) });
