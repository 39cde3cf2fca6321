import { useRef, useState } from "react";
import { licenceHint } from "#app/accounts/licence-hint.ts";
import { ActionForm, FormError, type FormState, fieldOf, SubmitButton } from "#app/components/action-form.tsx";
import { usePageDraft, useStoredValues } from "#app/lib/use-draft.ts";
import { SelectInput, TextArea, TextInput } from "#app/ui/field.tsx";
import { COUNTRIES } from "#shared/countries.ts";
import { LIMITS } from "#shared/limits.ts";
import type { OwnProfileView } from "#shared/own-profile.ts";
import { SPECIALTIES } from "#shared/specialties.ts";

/** Label by field name, in the order of the form. */
const LABELS = {
  full_name: "Nombre completo",
  specialty: "Especialidad",
  country: "País",
  license_number: "Número de matrícula",
  bio: "Biografía",
  website: "Sitio web",
  phone: "Teléfono",
  whatsapp: "WhatsApp",
};
type Field = keyof typeof LABELS;

/** Edits the user's own profile (specification, sections 2 and 5). The photo has a separate form. */
export function ProfileForm({ profile, form }: { profile: OwnProfileView; form: FormState }) {
  const professional = profile.psychologist;
  const stored: Partial<Record<Field, string | null>> = { full_name: profile.full_name, ...professional };
  const [chosen, setChosen] = useState<string>();
  const country = chosen ?? form.typed?.country ?? stored.country ?? "";
  const element = useRef<HTMLFormElement>(null);
  useStoredValues(element);
  usePageDraft(element, "profile");
  const text = (name: Field) => ({
    id: `perfil-${name}`,
    label: LABELS[name],
    ...fieldOf(form, name, stored[name] ?? ""),
  });
  return (
    <ActionForm ref={element} action="/perfil" className="stack stack--form">
      <FormError form={form} labels={LABELS} idPrefix="perfil-" />
      <TextInput
        {...text("full_name")}
        autoComplete="name"
        required
        limit={LIMITS.name}
        hint={
          professional
            ? undefined
            : "Puede ser un seudónimo. Aparece en tus consultas con nombre; en las anónimas nadie lo ve."
        }
      />
      {professional && (
        <>
          <div className="two-columns">
            {/* React does not update the default option of a select. */}
            <SelectInput
              key={stored.specialty}
              {...text("specialty")}
              optional
              none="Elige una especialidad"
              options={SPECIALTIES}
            />
            <SelectInput
              key={`in ${stored.country}`}
              {...text("country")}
              optional
              // A restored draft fires only "input".
              onInput={(event) => setChosen(event.currentTarget.value)}
              none="Elige un país"
              options={COUNTRIES}
            />
          </div>
          <TextInput
            {...text("license_number")}
            autoComplete="off"
            required
            limit={LIMITS.licence}
            hint={`${licenceHint(country)}${professional.is_verified ? " Si cambias este número, tu país o tu nombre (también un título o un signo), volveremos a verificar tu cuenta y mientras tanto no podrás responder." : ""}`}
          />
          <TextArea
            {...text("bio")}
            optional
            rows={5}
            maxLength={LIMITS.bio.max}
            placeholder="Con quién trabajas y cómo. Dos o tres frases bastan."
          />
          <TextInput
            {...text("website")}
            optional
            inputMode="url"
            autoComplete="url"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={LIMITS.website.max}
            placeholder="https://"
          />
          <div className="two-columns">
            <TextInput {...text("phone")} optional type="tel" autoComplete="tel" limit={LIMITS.phone} />
            <TextInput {...text("whatsapp")} optional type="tel" autoComplete="off" limit={LIMITS.phone} />
          </div>
          <p className="hint">
            Si no escribes el código de país, usamos el de tu país. Teléfono, WhatsApp y sitio web aparecen en tu perfil
            público.
          </p>
        </>
      )}
      <SubmitButton busyText="Guardando…">Guardar cambios</SubmitButton>
    </ActionForm>
  );
}
