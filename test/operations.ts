import { contract } from "#shared/contract.ts";

type Schema = { safeParse(value: unknown): { success: boolean } };
/** The name in the contract ("consultations.list"), the method, the path below /api, and the input fields. */
export type Operation = { name: string; method: string; path: string; fields: Record<string, Schema> };

export const operations: Operation[] = Object.entries(contract).flatMap(([group, procedures]) =>
  Object.entries(procedures).map(([name, procedure]) => {
    const { route, inputSchema } = procedure["~orpc"];
    const fields = (inputSchema as unknown as { shape?: Record<string, Schema> } | undefined)?.shape ?? {};
    return { name: `${group}.${name}`, method: route.method ?? "GET", path: route.path ?? "/", fields };
  }),
);

/** Operations of visitors that have input fields. */
export const FOR_VISITORS = [
  "accounts.signIn",
  "accounts.signOut",
  "accounts.deviceLink",
  "accounts.applyDeviceLink",
  "accounts.signUp",
  "accounts.resendConfirmation",
  "accounts.pendingConfirmation",
  "accounts.confirm",
  "accounts.requestRecovery",
  "accounts.recover",
  "accounts.emailLink",
  "accounts.applyEmailLink",
  "accounts.unsubscribe",
  "secondFactor.signIn",
  "search.similar",
  "contact.send",
];
