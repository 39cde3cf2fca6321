import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { mailedLinkHeaders, mailedLinkMeta } from "#app/components/mailed-link.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import type { Route } from "./+types/unsubscribe.ts";

export const meta: Route.MetaFunction = () => mailedLinkMeta("Dejar los avisos");
export const headers = mailedLinkHeaders;

/** Disables the mails about answers and the digests, for the form of this page and for mail programs (RFC 8058). */
export const action = formAction(async ({ api, args }) => {
  await api.accounts.unsubscribe({ token: args.params.token });
  return { done: true };
});

/** Page of the unsubscribe link. It has a button, because mail scanners open links too. */
export default function Unsubscribe({ actionData }: Route.ComponentProps) {
  const form = useForm(actionData);
  if (actionData && "done" in actionData)
    return (
      <CenteredPage title="Listo: no te enviaremos más avisos" illustration="mug" card>
        <p>No te escribiremos cuando haya novedades. Puedes volver a activar los avisos en Novedades.</p>
        <p>
          <ButtonLink to="/notificaciones#avisos" variant="soft">
            Ir a Novedades
          </ButtonLink>
        </p>
      </CenteredPage>
    );
  const expired = form.error?.code === "link_expired";
  return (
    <CenteredPage
      title={expired ? "Este enlace ya no sirve" : "¿Dejar de recibir estos avisos?"}
      illustration={expired ? null : "letter"}
      card
    >
      {!expired && <FormError form={form} />}
      {expired ? (
        <>
          <p>
            La cuenta ya no existe o los avisos se han vuelto a activar después de ese correo. En Novedades puedes ver
            cómo están.
          </p>
          <p>
            <ButtonLink to="/notificaciones#avisos">Ir a Novedades</ButtonLink>
          </p>
        </>
      ) : (
        <>
          <p>Si confirmas, no te escribiremos más cuando haya novedades en tu cuenta. No hace falta iniciar sesión.</p>
          <ActionForm>
            <SubmitButton busyText="Guardando…">No quiero más avisos</SubmitButton>
          </ActionForm>
          <p className="text-muted">Los correos sobre la seguridad de tu cuenta siguen llegando.</p>
        </>
      )}
    </CenteredPage>
  );
}
