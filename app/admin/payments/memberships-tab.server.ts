import type { TabRequest } from "#app/admin/tab-request.server.ts";

export async function loadMemberships({ api, orNull }: TabRequest) {
  const [payments, funnel] = await Promise.all([orNull(api.payments.read({})), orNull(api.funnel.read({}))]);
  return { payments, funnel };
}
