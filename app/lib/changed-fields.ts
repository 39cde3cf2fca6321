import { formatList } from "./format-list.ts";

/** Labels of changed fields, as the screens name them. */
const CHANGED: Record<string, string> = {
  full_name: "el nombre",
  email: "el correo",
  avatar_url: "la foto",
  license_number: "la matrícula",
  specialty: "la especialidad",
  country: "el país",
  bio: "la biografía",
  phone: "el teléfono",
  whatsapp: "el WhatsApp",
  verified_at: "la verificación",
  rejected_at: "el rechazo",
  title: "el título",
  content: "el texto",
  category: "la categoría",
  is_anonymous: "si es anónima",
  author_label: "la firma",
  response_count: "el número de respuestas",
  attempts: "el número de intentos",
  last_error: "el error",
  gave_up: "si se reintenta",
  reason: "el motivo",
  psychologist: "los datos de la persona",
  next_billing_date: "la fecha del próximo pago",
  status: "el estado",
  provider_state: "el estado",
  payments: "los pagos",
  membership: "la membresía",
  grant: "el Gold otorgado",
  gold_until: "hasta cuándo tiene Gold",
  is_verified: "la verificación",
};

/** Returns a sentence that names the changed fields, or nothing if none has a label. */
export function whatChanged(fields: string[]): string {
  const named = [...new Set(fields.flatMap((field) => CHANGED[field] ?? []))];
  return named.length ? `Ha cambiado: ${formatList(named)}. ` : "";
}
