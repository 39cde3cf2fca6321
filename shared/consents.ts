import type { UserType } from "./user-types.ts";

/** The separate consents of a registration (specification, section 2.5). */
export const CONSENTS = ["adult_or_guardian", "health_data", "professional_data", "transfer_abroad"] as const;
export type Consent = (typeof CONSENTS)[number];
export const CONSENTS_OF: Record<UserType, readonly Consent[]> = {
  user: ["adult_or_guardian", "health_data", "transfer_abroad"],
  psychologist: ["professional_data", "transfer_abroad"],
};
/** Stored with every consent. Raise it with every change of the wording. */
export const CONSENT_VERSION = "2026-11-29";
