import { useEffect, useRef } from "react";
import { Form, Link, redirect, useNavigation, useSubmit } from "react-router";
import { useAuth } from "#app/accounts/sign-in/auth-context.tsx";
import { ActionErrorMessage } from "#app/components/action-error-message.tsx";
import { useActionErrorToast } from "#app/components/action-error-toast.ts";
import { EmailInput } from "#app/components/email-input.tsx";
import { OutcomeMessage, PressKey } from "#app/components/press.tsx";
import { deleteDraft } from "#app/lib/drafts.ts";
import { useOutcome } from "#app/lib/outcome.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { formErrorResponse, formFields, runAction } from "#app/lib/page-request.server.ts";
import { useDraft } from "#app/lib/use-draft.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { CenteredPageLinks } from "#app/ui/centered-page-links.tsx";
import { TextArea, TextInput } from "#app/ui/field.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { LetterIllustration, MessageIllustration } from "#app/ui/page-illustrations.tsx";
import { LIMITS } from "#shared/limits.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/contact.ts";

const DRAFT = "contact";

/** Self-service links for common questions. */
const SHORTCUTS = [
  { when: "¿Olvidaste tu contraseña?", to: "/auth/recuperar", what: "Elegir una nueva" },
  { when: "No ha llegado el correo para confirmar", to: "/auth/revisa-tu-correo", what: "Enviarlo otra vez" },
  { when: "Quieres saber qué guardamos", to: "/privacy", what: "Leer la política de privacidad" },
];

export const meta: Route.MetaFunction = () => pageMeta("Contacto", `Escríbele al equipo de ${PRODUCT_NAME}.`);

export const loader = (args: Route.LoaderArgs) => ({
  sent: args.url.searchParams.has("enviado"),
});

export async function action(args: Route.ActionArgs) {
  const { name = "", email = "", message = "", key } = formFields(args);
  const result = await runAction(args, async ({ api }) => {
    await api.contact.send({ name, email, message, key });
    throw redirect("/contacto?enviado=1");
  });
  return formErrorResponse(args, result, { values: { name, email, message } });
}

export default function Contact({ loaderData: { sent }, actionData }: Route.ComponentProps) {
  useEffect(() => {
    if (sent) deleteDraft(DRAFT);
  }, [sent]);
  return (
    <CenteredPage
      title="Contacto"
      illustration={sent && !actionData ? <LetterIllustration /> : <MessageIllustration />}
    >
      <CenteredPageCard>
        {sent && !actionData ? (
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
  const form = useRef<HTMLFormElement>(null);
  useDraft(form, DRAFT);
  const { data, outcome, busy } = useOutcome({ ...useNavigation(), data: answer, submit: useSubmit() });
  const actionError = useActionErrorToast(data);
  const fields = actionError?.fields ?? {};
  const values = answer?.values;
  return (
    <>
      <p className="text-muted">
        Para dudas, errores o reclamos. Te respondemos por correo{viewer?.has_gold ? "; con Gold, primero" : ""}.
      </p>
      <p>
        No es un canal de urgencias: si hay peligro ahora, mira <Link to="/ayuda">las líneas de ayuda</Link>.
      </p>
      <ActionErrorMessage result={data} />
      <Form ref={form} noValidate method="post" action="/contacto" className="stack stack--page">
        <TextInput
          label="Nombre"
          id="name"
          name="name"
          autoComplete="name"
          required
          minLength={LIMITS.name.min}
          maxLength={LIMITS.name.max}
          defaultValue={values?.name ?? viewer?.full_name}
          error={fields.name}
        />
        <EmailInput
          defaultValue={values?.email ?? viewer?.email}
          hint="Solo lo usamos para responderte."
          error={fields.email}
        />
        <TextArea
          label="Mensaje"
          id="message"
          name="message"
          required
          rows={7}
          minLength={LIMITS.contactMessage.min}
          maxLength={LIMITS.contactMessage.max}
          defaultValue={values?.message}
          hint="No hace falta que cuentes nada de tu salud. Si publicas de forma anónima, no lo digas aquí."
          error={fields.message}
        />
        <PressKey draft={DRAFT} />
        <OutcomeMessage outcome={outcome} />
        <Button type="submit" wide busy={busy} busyText={outcome ? "Comprobando…" : "Enviando…"}>
          Enviar mensaje
        </Button>
      </Form>
    </>
  );
}
