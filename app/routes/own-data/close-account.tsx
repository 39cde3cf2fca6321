import { Form, Link } from "react-router";
import { forgetCheckMail } from "#app/accounts/registration/check-mail-cookie.server.ts";
import { useAuth } from "#app/accounts/sign-in/auth-context.tsx";
import { isTicked } from "#app/lib/checkbox-field.ts";
import { listed } from "#app/lib/listed.ts";
import { counted } from "#app/lib/numbers.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import {
  act,
  announce,
  fieldsOf,
  load,
  redirectAndForget,
  refusedForm,
  requireViewer,
  withPassword,
} from "#app/lib/page-request.server.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { useSubmitting } from "#app/lib/submitting.ts";
import { CurrentPasswordField } from "#app/parts/current-password-field.tsx";
import { RefusalMessage } from "#app/parts/refusal-message.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Checkbox, RadioGroup } from "#app/ui/choice.tsx";
import { BackIcon } from "#app/ui/more-icons.tsx";
import { Nook } from "#app/ui/nook.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { BoxOnSeat } from "#app/ui/seat-objects.tsx";
import { AppError } from "#shared/errors.ts";
import type { ClosingView } from "#shared/own-data.ts";
import type { Route } from "./+types/close-account.ts";
import "#app/own-data/close-account.css";

export const meta: Route.MetaFunction = () => pageMeta("Eliminar mi cuenta");

export const loader = (args: Route.LoaderArgs) =>
  load(args, async ({ api }) => {
    requireViewer(args);
    const [closing, account] = await Promise.all([api.ownData.closing({}), api.accounts.account({})]);
    return { closing, asksPassword: account.fresh_until === null };
  });

export async function action(args: Route.ActionArgs) {
  const { current_password, nameless = "", understood } = fieldsOf(args);
  const result = await act(args, async (here) => {
    if (!isTicked(understood))
      throw new AppError("invalid_input", {
        fields: { understood: "Marca que lo entiendes para eliminar la cuenta." },
      });
    const choice = { nameless } as Parameters<typeof here.api.ownData.close>[0];
    await withPassword(here, current_password, () => here.api.ownData.close(choice));
    forgetCheckMail(here);
    announce(here, "account_deleted");
    throw redirectAndForget("/");
  });
  return refusedForm(args, result, { nameless, understood: isTicked(understood) });
}

/** Lists what is deleted and what stays, before the account is deleted (specification, section 2, "Account"). */
export default function CloseAccount({ loaderData: { closing, asksPassword }, actionData }: Route.ComponentProps) {
  const { viewer, signingOut } = useAuth();
  const submitting = useSubmitting();
  const refused = refusalIn(actionData);
  const texts = anonymisedTexts(closing);
  return (
    <Nook
      title="Eliminar mi cuenta"
      seat={<BoxOnSeat />}
      wide
      before={
        <Link className="icon-link" to="/cuenta">
          <BackIcon size="s" />
          Cuenta y seguridad
        </Link>
      }
    >
      <div className="stack">
        <Panel title="Se borra ahora, para siempre">
          <ul className="bullets closing-list">
            <li>Tu nombre, tu correo, tu foto y tu perfil. Se cierran todas tus sesiones.</li>
            {namedTexts(closing).map((line) => (
              <li key={line}>{line}</li>
            ))}
            {closing.membership === "monthly" && (
              <li>Tu membresía Gold: la cancelamos también en el servicio de pago, para que no haya más cobros.</li>
            )}
            {closing.membership === "lifetime" && <li>Tu membresía Gold de por vida, sin devolución.</li>}
          </ul>
        </Panel>
        <Panel title="Queda, sin ningún vínculo contigo">
          <ul className="bullets closing-list">
            {closing.votes > 0 && (
              <li>
                Tus votos, solo como números: si desaparecieran a la vez, alguien podría ver qué consultas has visitado.
              </li>
            )}
            <li>Un aviso de «esto ya no está aquí» donde estaba cada consulta, sin el texto y sin tu nombre.</li>
            {viewer?.user_type === "psychologist" && (
              <li>
                Los pagos hechos, con su monto y el número que les dio el servicio de pago: la ley contable los exige.
              </li>
            )}
            <li>Las copias de seguridad, hasta que las reemplazan otras más nuevas.</li>
          </ul>
        </Panel>
        <Form noValidate method="post" onSubmit={signingOut} className="panel stack stack--page">
          <RefusalMessage result={actionData} />
          {texts ? (
            <RadioGroup
              legend="Lo que has publicado sin tu nombre"
              name="nameless"
              required
              defaultValue={actionData?.nameless ?? "delete"}
              hint={`Hay ${texts}. En cuanto elimines la cuenta, nada vincula esos textos contigo.`}
              options={[
                {
                  value: "delete",
                  label: "Borrarlo también",
                  hint: "A lo largo de los próximos tres días, cada texto en un momento distinto: si se borraran juntos, alguien podría notar que eran tuyos.",
                },
                {
                  value: "keep",
                  label: "Dejarlo publicado",
                  hint: "Para quien pase por algo parecido. Después ya no podrás editarlo ni borrarlo.",
                },
              ]}
            />
          ) : (
            <input type="hidden" name="nameless" value="delete" />
          )}
          {(asksPassword || refused?.code === "reauthentication_required") && (
            <CurrentPasswordField id="closing-password" error={refused?.fields?.current_password} />
          )}
          <Checkbox
            name="understood"
            id="understood"
            required
            label="Entiendo que no se puede deshacer."
            defaultChecked={actionData?.understood}
            error={refused?.fields?.understood}
          />
          <div className="row">
            <Button type="submit" variant="danger" busy={submitting} busyText="Borrando…">
              Eliminar mi cuenta
            </Button>
            <ButtonLink to="/cuenta" variant="quiet">
              Volver
            </ButtonLink>
          </div>
          <p className="soft">
            Si quieres conservar algo, antes <Link to="/cuenta#datos">descarga tus datos</Link>.
          </p>
        </Form>
      </div>
    </Nook>
  );
}

/** Formats "2 consultas anónimas y 1 comentario". @returns null if there is none */
function anonymisedTexts({ anonymous_consultations, replies, nameless_reviews }: ClosingView): string | null {
  const parts = [
    anonymous_consultations && counted(anonymous_consultations, "consulta anónima", "consultas anónimas"),
    replies && counted(replies, "comentario", "comentarios"),
    nameless_reviews && counted(nameless_reviews, "reseña sin nombre", "reseñas sin nombre"),
  ].filter((part) => part !== 0);
  return parts.length ? listed(parts) : null;
}

function namedTexts({ named_consultations, answers, named_reviews }: ClosingView): string[] {
  return [
    named_consultations &&
      `${counted(named_consultations, "consulta con tu nombre", "consultas con tu nombre")}, con sus respuestas y comentarios.`,
    answers && `${counted(answers, "respuesta tuya", "respuestas tuyas")}, con sus comentarios y votos.`,
    named_reviews && `${counted(named_reviews, "reseña con tu nombre", "reseñas con tu nombre")}.`,
  ].filter((line) => line !== 0);
}
