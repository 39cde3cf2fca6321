import { Form, href, Link, useRouteLoaderData } from "react-router";
import { checkboxValue } from "#app/lib/checkbox-field.ts";
import { useSubmitting } from "#app/lib/submitting.ts";
import type { loader as rootLoader } from "#app/root.tsx";
import { Button } from "#app/ui/button.tsx";

/** Tells authors how they will be notified of answers, with a switch for mails about this consultation. */
export function NextToCome({ id, mails }: { id: string; mails: boolean }) {
  const allowed = useRouteLoaderData<typeof rootLoader>("root")?.viewer?.notify_on_answers ?? true;
  const saving = useSubmitting({ intent: "mails" });
  return (
    <>
      Te avisamos aquí con una marca cuando alguien responda{allowed && mails && ", y también por correo"}.
      {allowed ? (
        <Form
          method="post"
          action={href("/consulta/:id/editar", { id })}
          replace
          preventScrollReset
          className="panel__action"
        >
          <input type="hidden" name="intent" value="mails" />
          <input type="hidden" name="notify_on_answer" value={checkboxValue(!mails)} />
          <Button type="submit" variant="soft" small busy={saving} busyText="Guardando…">
            {mails ? "No avisarme por correo" : "Avisarme también por correo"}
          </Button>
        </Form>
      ) : (
        <>
          {" "}
          Los avisos por correo están desactivados: puedes activarlos en{" "}
          <Link to="/notificaciones#avisos">Novedades</Link>.
        </>
      )}
    </>
  );
}
