import { contract } from "#shared/contract.ts";

/** All operations of the API: the name in the contract ("consultations.list"), the method, and the path below /api. */
export const operations = Object.entries(contract).flatMap(([group, procedures]) =>
  Object.entries(procedures).map(([name, procedure]) => {
    const { route, inputSchema } = procedure["~orpc"];
    return { name: `${group}.${name}`, method: route.method ?? "GET", path: route.path ?? "/", inputSchema };
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
