import { deleteDraft, readDraft, saveDraft } from "#app/lib/drafts.ts";
import { postJson } from "#app/lib/post-json.ts";
import type { ErrorBody } from "#shared/errors.ts";
import type { CheckoutView, ReconcileInput } from "#shared/memberships.ts";
import type { PaymentMethod, PlanType } from "#shared/plans.ts";

/** Reason for no checkout: the server's error, or no response to a request that it may have processed, or has not. */
export type CheckoutFailure = ErrorBody | "lost" | "unsent";

const PRESS_DRAFT = "checkout";
/** Delays before the repetitions of a request with an unknown outcome, in milliseconds. */
const PAUSES_MS = [1000, 3000, 6000];

/** @throws CheckoutFailure */
async function callApi(path: string, body?: object): Promise<CheckoutView> {
  const { onLine } = navigator;
  const url = `/api/checkouts${path}`;
  const response = await (body ? postJson(url, body) : fetch(url)).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (response?.ok && answer) return answer;
  // A proxy responds 503 without our JSON if it has no server.
  throw answer ?? (onLine && response?.status !== 503 ? "lost" : "unsent");
}

/** @throws CheckoutFailure */
export const readCheckout = (id: string) => callApi(`/${id}`);

/** Makes our server read the payment provider. @throws CheckoutFailure */
export const reconcileCheckout = ({ id, ...hint }: ReconcileInput) => callApi(`/${id}/reconciliation`, hint);

/**
 * The server begins one checkout per key, even after a reload.
 * @param onDoubt called when the first response is lost
 * @throws CheckoutFailure
 */
export async function beginCheckout(
  wanted: { plan_type: PlanType; method: PaymentMethod; payer_email?: string },
  onDoubt: () => void,
): Promise<CheckoutView> {
  const press = readDraft(PRESS_DRAFT) ?? { key: new Date().toISOString() };
  saveDraft(PRESS_DRAFT, press);
  for (let lost = 0; ; lost++) {
    const checkout = await callApi("", { ...wanted, ...press }).catch((failure: CheckoutFailure) => {
      if (typeof failure === "object") {
        if (failure.code !== "server_busy") deleteDraft(PRESS_DRAFT);
        throw failure;
      }
      // A repetition that was not sent says nothing about the first request.
      if (failure === "unsent" && !lost) throw failure;
      return null;
    });
    if (checkout) {
      deleteDraft(PRESS_DRAFT);
      return checkout;
    }
    if (!lost) onDoubt();
    if (lost === PAUSES_MS.length) throw "lost" satisfies CheckoutFailure;
    await new Promise((go) => setTimeout(go, PAUSES_MS[lost]));
  }
}
