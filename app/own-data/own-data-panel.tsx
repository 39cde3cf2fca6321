import { FormError } from "#app/components/action-form.tsx";
import { CurrentPasswordField } from "#app/components/current-password-field.tsx";
import type { DisplayError } from "#app/lib/client-error-messages.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { DownloadIcon } from "#app/ui/more-icons.tsx";
import { Panel } from "#app/ui/panel.tsx";

/** Export and deletion of the user's data. The export form is a plain one, because its response is a file. */
export function OwnDataPanel({ asksPassword, error }: { asksPassword: boolean; error: DisplayError | null }) {
  return (
    <Panel id="datos" title="Tus datos">
      <p className="text-muted panel__lead">
        Descarga un archivo con todo lo que guardamos sobre ti: lo que has escrito, tus votos, reseñas, permisos y
        sesiones. Incluye tus consultas anónimas: guárdalo donde nadie más lo lea.
      </p>
      <form method="post" action="/cuenta/datos" className="stack stack--form">
        <FormError form={{ error }} />
        {asksPassword && <CurrentPasswordField id="data-password" error={error?.fields?.current_password} />}
        <Button type="submit" variant="soft" icon={<DownloadIcon size="s" />}>
          Descargar mis datos
        </Button>
      </form>
      <h3 className="title-s panel__heading">Eliminar la cuenta</h3>
      <p className="text-muted panel__note">Antes te contamos qué se borra, qué queda y por qué.</p>
      <p className="panel__part">
        <ButtonLink to="/cuenta/eliminar" variant="danger" small>
          Eliminar mi cuenta
        </ButtonLink>
      </p>
    </Panel>
  );
}
