import type { Decide } from "#app/admin/decisions.server.ts";

/** Verifies a psychologist who waits. */
export const approve: Decide = async ({ admin }, { id, version }) => {
  await admin.approve({ id, version });
  return undefined;
};

/** The licence of a verified psychologist was checked again, and is valid. */
export const checkAgain: Decide = async ({ admin }, { id, version }) => {
  await admin.approve({ id, version });
  return undefined;
};

/** Refuses, or takes back, the verification. */
export const reject: Decide = async ({ admin }, { id, version, reason }) => {
  await admin.reject({ id, version, reason });
  return undefined;
};
