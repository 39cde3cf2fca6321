import { checkboxValue } from "#app/lib/checkbox-field.ts";
import type { ConsultationView } from "#shared/consultations.ts";

export const consultationFormValues = (
  { title, content, country, category, is_anonymous, noindex }: ConsultationView,
  own: { author_name: string | null; notify_on_answer: boolean | null },
) => ({
  title,
  content,
  country,
  category: category ?? "",
  is_anonymous: checkboxValue(is_anonymous),
  author_name: own.author_name ?? "",
  notify_on_answer: checkboxValue(own.notify_on_answer ?? false),
  noindex: checkboxValue(noindex),
});

/** Form values as strings. A rejected form returns them, which preserves the text without JavaScript. */
export type ConsultationValues = Partial<ReturnType<typeof consultationFormValues>>;
