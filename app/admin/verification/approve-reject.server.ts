import type { DecisionHandler } from "#app/admin/decisions.server.ts";

export const approve: DecisionHandler = async ({ admin }, { id, version }) => {
  await admin.approve({ id, version });
  return undefined;
};

/** Confirms that the licence of a verified psychologist is still valid. */
export const renewLicenseCheck: DecisionHandler = async ({ admin }, { id, version }) => {
  await admin.approve({ id, version });
  return undefined;
};

/** Rejects a psychologist or revokes the verification. */
export const reject: DecisionHandler = async ({ admin }, { id, version, reason }) => {
  await admin.reject({ id, version, reason });
  return undefined;
};
