/** The separate consents of the registration (specification, section 5). */
export const CONSENTS = ["adult_or_guardian", "health_data", "transfer_abroad"] as const;
export type Consent = (typeof CONSENTS)[number];
/** Stored with every consent; raised whenever the wording that people accept changes. */
export const CONSENT_VERSION = "2026-11-21";
