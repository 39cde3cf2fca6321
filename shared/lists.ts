/** Fixed lists of the product (specification, section 3, "Fixed lists"). They carry no zod, so pages may use them. */

export const COUNTRIES = [
  "Argentina",
  "México",
  "España",
  "Colombia",
  "Chile",
  "Perú",
  "Venezuela",
  "Paraguay",
  "Uruguay",
  "Ecuador",
  "Panamá",
] as const;
export type Country = (typeof COUNTRIES)[number];

export const CATEGORIES = [
  "Ansiedad",
  "Depresión",
  "Estrés",
  "Relaciones",
  "Autoestima",
  "Duelo",
  "Trabajo/Estudio",
  "Familia",
  "Adicciones",
  "Otro/a",
] as const;
export type Category = (typeof CATEGORIES)[number];

export const SPECIALTIES = [
  "Psicología Clínica",
  "Psicología Cognitivo-Conductual",
  "Psicología Familiar",
  "Psicología Infantil",
  "Psicología Laboral",
  "Psicología Social",
  "Psicología Forense",
  "Neuropsicología",
  "Psicología de la Salud",
  "Otra",
] as const;

export const CONSULTATION_SORTS = ["recent", "oldest", "votes", "responses"] as const;
export type ConsultationSort = (typeof CONSULTATION_SORTS)[number];

export const ANSWER_SORTS = ["recent", "oldest", "votes"] as const;
export type AnswerSort = (typeof ANSWER_SORTS)[number];

export const USER_TYPES = ["user", "psychologist"] as const;
export type UserType = (typeof USER_TYPES)[number];

/** What a vote can be set to. The interface toggles; the API sets, so that a repeated request changes nothing. */
export const VOTES = ["up", "down", "none"] as const;
export type Vote = (typeof VOTES)[number];

/** The separate consents of the registration (specification, section 5). */
export const CONSENTS = ["adult_or_guardian", "health_data", "transfer_abroad"] as const;
export type Consent = (typeof CONSENTS)[number];
/** Stored with every consent; raised whenever the wording that people accept changes. */
export const CONSENT_VERSION = "2026-11-21";
