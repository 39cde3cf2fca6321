import { contract } from "#shared/contract.ts";

/** Every operation of the API: its name in the contract ("consultations.list"), its method, and its path below /api. */
export const operations = Object.entries(contract).flatMap(([group, procedures]) =>
  Object.entries(procedures).map(([name, procedure]) => {
    const { route, inputSchema } = procedure["~orpc"];
    return { name: `${group}.${name}`, method: route.method ?? "GET", path: route.path ?? "/", inputSchema };
  }),
);
