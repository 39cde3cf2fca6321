import { Link, redirect } from "react-router";
import { pageMeta } from "#app/lib/page-meta.ts";
import { act, announce, load, requireViewer } from "#app/lib/page-request.server.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { RefusalMessage } from "#app/parts/refusal-message.tsx";
import { BackIcon } from "#app/ui/more-icons.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { PhotoForm } from "#app/uploads/photo-form.tsx";
import { AppError, type ErrorBody, type ErrorCode } from "#shared/errors.ts";
import type { Route } from "./+types/profile-photo.ts";

export const meta: Route.MetaFunction = () => pageMeta("Foto de perfil");

/** Errors with which `server/http` redirects here because it did not read the file. */
const TOLD: ErrorCode[] = ["file_too_large", "sign_in_to_upload", "busy", "malformed_request"];

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api }) => {
    const told = TOLD.find((code) => code === args.url.searchParams.get("error")) ?? null;
    requireViewer(args, "/perfil");
    const { full_name, avatar_url } = await api.accounts.profile({});
    return { full_name, avatar_url, told };
  });

/** Stores the photo of a plain form. With JavaScript the photo goes to the API, which reports the progress. */
export async function action(args: Route.ActionArgs) {
  return act(args, async (here) => {
    const file = here.form?.get("file");
    if (!here.viewer()) throw new AppError("sign_in_to_upload");
    if (!(file instanceof File)) throw new AppError("file_type_refused");
    await here.api.uploads.photo({ file });
    announce(here, "photo_uploaded");
    throw redirect("/perfil");
  });
}

export default function ProfilePhoto({
  loaderData: { full_name, avatar_url, told },
  actionData,
}: Route.ComponentProps) {
  const refused: ErrorBody | null = refusalIn(actionData) ?? (told && { code: told });
  return (
    <main id="contenido" className="page">
      <div className="thread section">
        <Link className="icon-link" to="/perfil">
          <BackIcon size="s" />
          Volver a tu perfil
        </Link>
        <h1 className="title-xl">Foto de perfil</h1>
        <Panel label="Foto de perfil" className="stack thread__part">
          <RefusalMessage result={{ refused }} />
          <PhotoForm name={full_name} src={avatar_url} bad={refused !== null} />
        </Panel>
      </div>
    </main>
  );
}
