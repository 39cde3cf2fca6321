import type { DecisionHandler } from "#app/admin/decisions.server.ts";
import type { TabRequest } from "#app/admin/tab-request.server.ts";
import type { AdminConsultationsView } from "#shared/admin.ts";

const NONE: AdminConsultationsView = { items: [], next_cursor: null };

export async function loadConsultations({ api: { admin }, asAppError, given, orNull }: TabRequest) {
  let searchError: string | undefined;
  const search = admin.consultations({ q: given("q"), cursor: given("cursor") }).catch((error: unknown) => {
    searchError = asAppError(error).fields?.q;
    if (!searchError) throw error;
    return NONE;
  });
  const [list, undoable] = await Promise.all([orNull(search), orNull(admin.undoable({}))]);
  return { list, undoable, searchError };
}

/** Removes a consultation, including its answers and replies. */
export const deleteConsultation: DecisionHandler = async ({ admin }, { id, version }) => {
  await admin.deleteConsultation({ id, version });
  return undefined;
};
