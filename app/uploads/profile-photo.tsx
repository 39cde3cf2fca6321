import { FormError } from "#app/components/action-form.tsx";
import { type FailureHandle, getActionError } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { requireViewer, runLoader, withMessage } from "#app/lib/page-request.server.ts";
import { FormPage } from "#app/ui/form-page.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { AppError, type ErrorCode } from "#shared/errors.ts";
import type { Route } from "./+types/profile-photo.ts";
import { PhotoForm } from "./photo-form.tsx";

export const handle: FailureHandle = {
  failed: { act: { title: "Error al subir archivo", description: "No se pudo subir la imagen. Intenta de nuevo." } },
};

export const meta: Route.MetaFunction = () => pageMeta("Foto de perfil");

/** Errors with which `server/http` redirects here because it did not read the file. */
const DISPLAYED_ERRORS: ErrorCode[] = ["file_too_large", "server_busy", "malformed_request"];

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    const code = DISPLAYED_ERRORS.find((known) => known === args.url.searchParams.get("error"));
    requireViewer(args, "/perfil");
    const { full_name, avatar_url } = await api.accounts.profile({});
    return { full_name, avatar_url, told: code ? withMessage({ code }) : null };
  });

export const action = formAction(async ({ api, form, isDocument, leave }) => {
  const file = form?.get("file");
  if (!(file instanceof File)) throw new AppError("unsupported_file_type");
  await api.uploads.photo({ file });
  return isDocument ? leave("/perfil", "photo_uploaded") : { done: true };
});

export default function ProfilePhoto({
  loaderData: { full_name, avatar_url, told },
  actionData,
}: Route.ComponentProps) {
  const error = getActionError(actionData) ?? told;
  return (
    <FormPage title="Foto de perfil" back={{ to: "/perfil", label: "Volver a tu perfil" }}>
      <Panel label="Foto de perfil" className="stack thread__part">
        <FormError form={{ error }} />
        <PhotoForm name={full_name} src={avatar_url} bad={error !== null} />
      </Panel>
    </FormPage>
  );
}
