import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { licenceHint, type ProfileField, profileField } from "#app/accounts/profile-fields.ts";
import { EmailInput, NewPasswordFields } from "#app/components/account-fields.tsx";
import { ActionForm, type FormState, fieldOf, SubmitButton } from "#app/components/action-form.tsx";
import { isChecked } from "#app/lib/checkbox-field.ts";
import { useHydrated } from "#app/lib/hydrated.ts";
import { Checkbox, SelectInput, TextArea, TextInput } from "#app/ui/field.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { CONSENTS_OF, type Consent } from "#shared/consents.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { UserType } from "#shared/user-types.ts";
import "./registration-form.css";

export type AuthFormProps = { form: Pick<FormState, "typed" | "errors">; returnTo: string };

export function RegistrationForm({
  form,
  returnTo,
  type,
  address,
}: AuthFormProps & { type: UserType; address: (more: Record<string, string>) => string }) {
  const psychologist = type === "psychologist";
  return (
    <ActionForm fields={{ intent: "sign_up", return_to: returnTo, user_type: type }} className="stack stack--page">
      <TypeChoice
        type={type}
        user={address({ modo: "registro" })}
        psychologist={address({ modo: "registro", tipo: "psicologo" })}
      />
      <AccountFields form={form} psychologist={psychologist}>
        <EmailInput {...fieldOf(form, "email")} />
      </AccountFields>
      <SubmitButton wide busyText="Creando la cuenta…">
        {psychologist ? "Crear cuenta profesional" : "Crear Cuenta Gratis"}
      </SubmitButton>
      <p className="faint">
        Al crearla aceptas los <Legal to="/terms">Términos de Servicio</Legal>.
      </p>
    </ActionForm>
  );
}

/** Fields of every new account: name, password, profession and consents. Renders `children` after the name. */
export function AccountFields({
  form,
  psychologist,
  children,
}: Pick<AuthFormProps, "form"> & { psychologist: boolean; children?: ReactNode }) {
  return (
    <>
      <TextInput
        id="full_name"
        {...profileField(form, "full_name")}
        hint={
          psychologist
            ? "Como figura en tu matrícula: aparece en tu perfil y en tus respuestas."
            : "Puede ser un seudónimo. En tus consultas anónimas nadie lo ve."
        }
      />
      {children}
      <div className="two-columns">
        <NewPasswordFields fields={form.errors} />
      </div>
      {psychologist && <Profession form={form} />}
      <div>
        {CONSENTS_OF[psychologist ? "psychologist" : "user"].map((kind) => (
          <Checkbox
            key={kind}
            name={kind}
            id={kind}
            required
            label={CONSENT_LABELS[kind]}
            defaultChecked={isChecked(form.typed?.[kind])}
            error={form.errors[kind]}
          />
        ))}
      </div>
    </>
  );
}

const CONSENT_LABELS: Record<Consent, ReactNode> = {
  adult_or_guardian: "Tengo 18 años o más, o autorización de mi tutor.",
  health_data: (
    <>
      Acepto que {PRODUCT_NAME} trate datos sobre mi salud según la <Legal to="/privacy">política de privacidad</Legal>.
    </>
  ),
  professional_data: (
    <>
      Acepto que {PRODUCT_NAME} trate mis datos profesionales y publique mi perfil según la{" "}
      <Legal to="/privacy">política de privacidad</Legal>.
    </>
  ),
  transfer_abroad: "Acepto que mis datos se procesen fuera de mi país.",
};

/** Opens a legal page in a new tab, so that the form keeps its text. */
function Legal({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener">
      {children}
      <span className="visually-hidden"> (se abre en otra pestaña)</span>
    </a>
  );
}

function Profession({ form }: Pick<AuthFormProps, "form">) {
  const [country, setCountry] = useState(form.typed?.country ?? "");
  const field = <Name extends ProfileField>(name: Name) => ({ id: name, ...profileField(form, name) });
  return (
    <Panel title="Datos profesionales" className="stack stack--form">
      <SelectInput
        {...field("country")}
        autoComplete="country-name"
        onChange={(event) => setCountry(event.currentTarget.value)}
      />
      <TextInput
        {...field("license_number")}
        label="Número de matrícula o registro profesional"
        hint={`${licenceHint(country)} Lo revisa una persona en 24-48 horas y te avisamos por correo.`}
      />
      <SelectInput {...field("specialty")} />
      <TextArea {...field("bio")} rows={4} />
      <div className="two-columns">
        <TextInput {...field("phone")} />
        <TextInput {...field("whatsapp")} />
      </div>
      <p className="hint">
        Si no escribes el código de país, usamos el del país que elegiste. Teléfono y WhatsApp aparecen en tu perfil
        público.
      </p>
    </Panel>
  );
}

export const CHOOSE_TYPE = "choose_type";

/** Choice between user and psychologist. They are links, because each has its own URL. Typed text stays. */
export function TypeChoice({ type, user, psychologist }: { type: UserType; user: string; psychologist: string }) {
  const options = [
    { value: "user", to: user, label: "Quiero preguntar", hint: "Leer, preguntar y votar" },
    { value: "psychologist", to: psychologist, label: "Soy psicólogo o psicóloga", hint: "Responder con matrícula" },
  ];
  const hydrated = useHydrated();
  return (
    <nav aria-labelledby="type">
      {/* Enter in a field presses the first button of the form, which must not choose a type. */}
      {!hydrated && <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />}
      <p className="legend" id="type">
        ¿Cómo vas a participar?
      </p>
      <div className="choice">
        {options.map(({ value, to, label, hint }) => {
          const current = value === type;
          const look = { "aria-current": current ? "true" : undefined, className: "checkbox account-type" } as const;
          const content = (
            <>
              <span aria-hidden="true" className="account-type__circle">
                {current && <span className="account-type__dot" />}
              </span>
              <span>
                <b>{label}</b>
                <span className="hint">{hint}</span>
              </span>
            </>
          );
          return hydrated ? (
            <Link key={value} to={to} replace preventScrollReset {...look}>
              {content}
            </Link>
          ) : (
            <button key={value} type="submit" name={CHOOSE_TYPE} value={value} formAction={to} {...look}>
              {content}
            </button>
          );
        })}
      </div>
    </nav>
  );
}
