import { type FormState, fieldOf } from "#app/components/action-form.tsx";
import { COUNTRIES, type Country } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import { SPECIALTIES } from "#shared/specialties.ts";

/** Fields of a user and a psychologist at registration and in the profile, in the profile's order. */
const FIELDS = {
  full_name: { label: "Nombre completo", autoComplete: "name", required: true, limit: LIMITS.name },
  specialty: { label: "Especialidad", optional: true, none: "Elige una especialidad", options: SPECIALTIES },
  country: { label: "País", optional: true, none: "Elige un país", options: COUNTRIES },
  license_number: { label: "Número de matrícula", autoComplete: "off", required: true, limit: LIMITS.licence },
  bio: {
    label: "Biografía",
    optional: true,
    maxLength: LIMITS.bio.max,
    placeholder: "Con quién trabajas y cómo. Dos o tres frases bastan.",
  },
  website: {
    label: "Sitio web",
    optional: true,
    inputMode: "url",
    autoComplete: "url",
    autoCapitalize: "none",
    spellCheck: false,
    maxLength: LIMITS.website.max,
    placeholder: "https://",
  },
  phone: { label: "Teléfono", optional: true, type: "tel", autoComplete: "tel", limit: LIMITS.phone },
  whatsapp: { label: "WhatsApp", optional: true, type: "tel", autoComplete: "off", limit: LIMITS.phone },
} as const;

export type ProfileField = keyof typeof FIELDS;

export const PROFILE_LABELS = Object.fromEntries(Object.entries(FIELDS).map(([name, { label }]) => [name, label]));

export const profileField = <Name extends ProfileField>(
  form: Pick<FormState, "typed" | "errors">,
  name: Name,
  stored?: string,
) => ({ ...FIELDS[name], ...fieldOf(form, name, stored) });

const LICENCE_HINTS: Record<Country, string> = {
  Argentina: "En Argentina: tu matrícula nacional (MN) o provincial (MP), con la provincia.",
  México: "En México: tu cédula profesional.",
  España: "En España: tu número de colegiación, con el colegio.",
  Colombia: "En Colombia: tu tarjeta profesional de COLPSIC. Tienes que figurar también en ReTHUS.",
  Chile: "En Chile: tu número del Registro de Prestadores de la Superintendencia de Salud.",
  Perú: "En Perú: tu número de colegiatura (C.Ps.P.).",
  Venezuela: "En Venezuela: tu número de FPV.",
  Paraguay: "En Paraguay: tu registro profesional del Ministerio de Salud.",
  Uruguay: "En Uruguay: el registro de tu título en el Ministerio de Salud Pública.",
  Ecuador: "En Ecuador: tu registro de SENESCYT. Necesitas también la habilitación de ACESS.",
  Panamá: "En Panamá: tu idoneidad del Consejo Técnico de Salud.",
};
const ANY_LICENCE_HINT =
  "Por ejemplo: matrícula MN o MP en Argentina, cédula profesional en México, número de colegiación en España, tarjeta profesional en Colombia.";

export const licenceHint = (country: string): string => LICENCE_HINTS[country as Country] ?? ANY_LICENCE_HINT;
