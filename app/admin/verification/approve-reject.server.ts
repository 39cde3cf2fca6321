import type { Decide } from "#app/admin/decisions.server.ts";

export const approve: Decide = async ({ admin }, { id, version }) => {
  await admin.approve({ id, version });
  return undefined;
};

/** Confirms that the licence of a verified psychologist is still valid. */
export const checkAgain: Decide = async ({ admin }, { id, version }) => {
  await admin.approve({ id, version });
  return undefined;
};

/** Rejects a psychologist or revokes the verification. */
export const reject: Decide = async ({ admin }, { id, version, reason }) => {
  await admin.reject({ id, version, reason });
  return undefined;
};
