import { Form } from "react-router";
import { Setting } from "#app/accounts/setting.tsx";
import { checkboxValue } from "#app/lib/checkbox-field.ts";
import { useSubmitting } from "#app/lib/submitting.ts";
import { Button } from "#app/ui/button.tsx";

/** Switches all answer mails on or off. Each consultation's form has its own switch. */
export function AnswerMails({ on }: { on: boolean }) {
  const submitting = useSubmitting({ intent: "notify_on_answers" });
  return (
    <Setting id="avisos" name="Avisos por correo" value={on ? "Cuando te responden" : "Desactivados"}>
      <div className="stack">
        <p>
          {on
            ? "Te escribimos cuando llega una respuesta a las consultas en las que lo has pedido: un solo correo hasta que la veas, sin nada de lo que has escrito. En «Editar consulta» lo cambias para una sola."
            : "Están desactivados: no te escribimos aunque llegue una respuesta. Aquí y en el menú verás las nuevas."}
        </p>
        <Form method="post" action="/perfil" preventScrollReset>
          <input type="hidden" name="intent" value="notify_on_answers" />
          <input type="hidden" name="on" value={checkboxValue(!on)} />
          <Button type="submit" variant="soft" small busy={submitting} busyText="Guardando…">
            {on ? "Desactivar los avisos" : "Activar los avisos"}
          </Button>
        </Form>
      </div>
    </Setting>
  );
}
