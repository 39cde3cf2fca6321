import { href, Link } from "react-router";
import { ActionForm, SubmitButton } from "#app/components/action-form.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { checkboxValue } from "#app/lib/checkbox-field.ts";

export function AnswerNotice({ id, mails }: { id: string; mails: boolean }) {
  const allowed = useAuth().viewer?.notify_on_answers ?? true;
  return (
    <>
      Te avisamos aquí con una marca cuando alguien responda{allowed && mails && ", y también por correo"}.
      {allowed ? (
        <ActionForm
          action={href("/consulta/:id/editar", { id })}
          fields={{ intent: "mails", notify_on_answer: checkboxValue(!mails) }}
          replace
          preventScrollReset
          className="above-4"
        >
          <SubmitButton variant="soft" small busyText="Guardando…">
            {mails ? "No avisarme por correo" : "Avisarme también por correo"}
          </SubmitButton>
        </ActionForm>
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
