import { useEffect, useRef } from "react";
import { Link, useNavigation, useSubmit } from "react-router";
import { EmailInput } from "#app/components/account-fields.tsx";
import { ActionForm, FormError, fieldOf, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { OutcomeMessage, PressKey, useOutcome } from "#app/components/press.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { deleteDraft, readDraft } from "#app/lib/drafts.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { useDraft } from "#app/lib/use-draft.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { CenteredPageLinks } from "#app/ui/centered-page-links.tsx";
import { TextArea, TextInput } from "#app/ui/field.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { LIMITS } from "#shared/limits.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/contact.ts";

const DRAFT = "contact";

const SHORTCUTS = [
  { when: "¿Olvidaste tu contraseña?", to: "/auth/recuperar", what: "Elegir una nueva" },
  { when: "No ha llegado el correo para confirmar", to: "/auth/revisa-tu-correo", what: "Enviarlo otra vez" },
  { when: "Quieres saber qué guardamos", to: "/privacy", what: "Leer la política de privacidad" },
];

export const meta: Route.MetaFunction = () => pageMeta("Contacto", `Escríbele al equipo de ${PRODUCT_NAME}.`);

export const loader = ({ url }: Route.LoaderArgs) => ({ sent: url.searchParams.has("enviado") });

export const action = formAction(async ({ api, input, leave }) => {
  await api.contact.send(input("name", "email", "message", "key"));
  return leave("/contacto?enviado=1");
});

export default function Contact({ loaderData: { sent }, actionData }: Route.ComponentProps) {
  useEffect(() => {
    // The user may have begun another message and come back.
    if (sent && readDraft(DRAFT)?.sent) deleteDraft(DRAFT);
  }, [sent]);
  return (
    <CenteredPage title="Contacto" illustration={sent ? "letter" : "message"}>
      <CenteredPageCard>
        {sent ? (
          <>
            <FormMessage tone="ok" title="¡Mensaje enviado!">
              Lo lee una persona del equipo y te responde al correo que has escrito.
            </FormMessage>
            <p className="row">
              <ButtonLink to="/">Volver al inicio</ButtonLink>
              <ButtonLink to="/contacto" variant="quiet">
                Escribir otro mensaje
              </ButtonLink>
            </p>
          </>
        ) : (
          <ContactForm answer={actionData} />
        )}
      </CenteredPageCard>
      <CenteredPageLinks title="Más rápido que un correo" links={SHORTCUTS} />
    </CenteredPage>
  );
}

function ContactForm({ answer }: { answer: Route.ComponentProps["actionData"] }) {
  const { viewer } = useAuth();
  const element = useRef<HTMLFormElement>(null);
  useDraft(element, DRAFT);
  const { data, outcome, busy } = useOutcome({ ...useNavigation(), data: answer, submit: useSubmit() });
  // While the outcome is unknown, the typed values stay.
  const form = { ...useForm(data, { toast: true }), typed: answer?.typed };
  return (
    <>
      <p className="text-muted">
        Para dudas, errores o reclamos. Te respondemos por correo{viewer?.has_gold ? "; con Gold, primero" : ""}.
      </p>
      <p>
        No es un canal de urgencias: si hay peligro ahora, mira <Link to="/ayuda">las líneas de ayuda</Link>.
      </p>
      <FormError form={form} />
      <ActionForm ref={element} action="/contacto" className="stack stack--page">
        <TextInput
          label="Nombre"
          id="name"
          autoComplete="name"
          required
          limit={LIMITS.name}
          {...fieldOf(form, "name", viewer?.full_name)}
        />
        <EmailInput {...fieldOf(form, "email", viewer?.email)} hint="Solo lo usamos para responderte." />
        <TextArea
          label="Mensaje"
          id="message"
          required
          rows={7}
          limit={LIMITS.contactMessage}
          hint="No hace falta que cuentes nada de tu salud. Si publicas de forma anónima, no lo digas aquí."
          {...fieldOf(form, "message")}
        />
        <PressKey draft={DRAFT} />
        <OutcomeMessage outcome={outcome} />
        <SubmitButton wide busy={busy} busyText={outcome ? "Comprobando…" : "Enviando…"}>
          Enviar mensaje
        </SubmitButton>
      </ActionForm>
    </>
  );
}
