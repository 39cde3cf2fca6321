import { useRef, useState } from "react";
import { licenceHint, PROFILE_LABELS, type ProfileField, profileField } from "#app/accounts/profile-fields.ts";
import { ActionForm, FormError, type FormState, SubmitButton } from "#app/components/action-form.tsx";
import { usePageDraft, useStoredValues } from "#app/lib/use-draft.ts";
import { SelectInput, TextArea, TextInput } from "#app/ui/field.tsx";
import type { OwnProfileView } from "#shared/own-profile.ts";

export function ProfileForm({ profile, form }: { profile: OwnProfileView; form: FormState }) {
  const professional = profile.psychologist;
  const stored: Partial<Record<ProfileField, string | null>> = { full_name: profile.full_name, ...professional };
  const [chosen, setChosen] = useState<string>();
  const country = chosen ?? form.typed?.country ?? stored.country ?? "";
  const element = useRef<HTMLFormElement>(null);
  useStoredValues(element);
  usePageDraft(element, "profile");
  const field = <Name extends ProfileField>(name: Name) => ({
    id: `perfil-${name}`,
    ...profileField(form, name, stored[name] ?? ""),
  });
  return (
    <ActionForm ref={element} action="/perfil" className="stack stack--form">
      <FormError form={form} labels={PROFILE_LABELS} idPrefix="perfil-" />
      <TextInput
        {...field("full_name")}
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
            <SelectInput key={stored.specialty} {...field("specialty")} />
            <SelectInput
              key={`in ${stored.country}`}
              {...field("country")}
              // A restored draft fires only "input".
              onInput={(event) => setChosen(event.currentTarget.value)}
            />
          </div>
          <TextInput
            {...field("license_number")}
            hint={`${licenceHint(country)}${professional.is_verified ? " Si cambias este número, tu país o tu nombre (también un título o un signo), volveremos a verificar tu cuenta y mientras tanto no podrás responder." : ""}`}
          />
          <TextArea {...field("bio")} rows={5} />
          <TextInput {...field("website")} />
          <div className="two-columns">
            <TextInput {...field("phone")} />
            <TextInput {...field("whatsapp")} />
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
