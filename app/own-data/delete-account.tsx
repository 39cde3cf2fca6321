import { Link } from "react-router";
import { clearCheckMailCookie } from "#app/accounts/registration/check-mail-cookie.server.ts";
import { CurrentPasswordField } from "#app/components/account-fields.tsx";
import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { isChecked } from "#app/lib/checkbox-field.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { formatList, pluralize } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { redirectClearingSiteData, requireViewer, runLoader, setFlash } from "#app/lib/page-request.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import { Checkbox } from "#app/ui/field.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { AppError } from "#shared/errors.ts";
import type { AccountDeletionView } from "#shared/own-data.ts";
import type { Route } from "./+types/delete-account.ts";

export const meta: Route.MetaFunction = () => pageMeta("Eliminar mi cuenta");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    requireViewer(args);
    const [deletionPreview, account] = await Promise.all([api.ownData.deletionPreview({}), api.accounts.account({})]);
    return { deletionPreview, asksPassword: account.reauthenticated_until === null };
  });

export const action = formAction(async (page) => {
  if (!isChecked(page.fields.understood))
    throw new AppError("invalid_input", { fields: { understood: "Marca que lo entiendes para eliminar la cuenta." } });
  await page.confirmed(() => page.api.ownData.close(page.input("anonymous_texts")));
  clearCheckMailCookie(page);
  setFlash(page, "account_deleted");
  return redirectClearingSiteData("/");
});

const ANONYMOUS_TEXTS = [
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
];

/** Specification, section 2, "Account". */
export default function DeleteAccount({
  loaderData: { deletionPreview, asksPassword },
  actionData,
}: Route.ComponentProps) {
  const { viewer, signingOut } = useAuth();
  const form = useForm(actionData);
  const texts = anonymisedTexts(deletionPreview);
  return (
    <CenteredPage
      title="Eliminar mi cuenta"
      illustration="box"
      wide
      before={<BackLink to="/cuenta">Cuenta y seguridad</BackLink>}
    >
      <div className="stack">
        <Panel title="Se borra ahora, para siempre">
          <ul className="bullets above">
            <li>Tu nombre, tu correo, tu foto y tu perfil. Se cierran todas tus sesiones.</li>
            {namedTexts(deletionPreview).map((line) => (
              <li key={line}>{line}</li>
            ))}
            {deletionPreview.membership === "monthly" && (
              <li>Tu membresía Gold: la cancelamos también en el servicio de pago, para que no haya más cobros.</li>
            )}
            {deletionPreview.membership === "lifetime" && <li>Tu membresía Gold de por vida, sin devolución.</li>}
          </ul>
        </Panel>
        <Panel title="Queda, sin ningún vínculo contigo">
          <ul className="bullets above">
            {deletionPreview.votes > 0 && (
              <li>
                Tus votos, solo como números: si desaparecieran a la vez, alguien podría ver qué consultas has visitado.
              </li>
            )}
            <li>Un aviso de «esto ya no está aquí» donde estaba cada consulta, sin el texto y sin tu nombre.</li>
            {viewer?.user_type === "psychologist" && (
              <li>
                Los pagos hechos, con su importe y el número que les dio el servicio de pago: la ley contable los exige.
              </li>
            )}
            <li>Las copias de seguridad, hasta que las reemplazan otras más nuevas.</li>
          </ul>
        </Panel>
        <ActionForm onSubmit={signingOut} className="panel stack stack--page">
          <FormError form={form} />
          {texts.length > 0 ? (
            <fieldset className="field" aria-describedby="texts-hint">
              <legend className="legend">Lo que has publicado sin tu nombre</legend>
              <div className="choice">
                {ANONYMOUS_TEXTS.map(({ value, label, hint }) => (
                  <label className="checkbox" key={value}>
                    <input
                      type="radio"
                      name="anonymous_texts"
                      value={value}
                      defaultChecked={value === (form.typed?.anonymous_texts ?? "delete")}
                      required
                    />
                    <span>
                      <b>{label}</b>
                      <span className="hint">{hint}</span>
                    </span>
                  </label>
                ))}
              </div>
              <p className="hint" id="texts-hint">
                Hay {formatList(texts)}. En cuanto elimines la cuenta, nada vincula esos textos contigo.
              </p>
            </fieldset>
          ) : (
            <input type="hidden" name="anonymous_texts" value="delete" />
          )}
          <CurrentPasswordField id="closing-password" asks={asksPassword} form={form} />
          <Checkbox
            name="understood"
            id="understood"
            required
            label="Entiendo que no se puede deshacer."
            defaultChecked={isChecked(form.typed?.understood)}
            error={form.errors.understood}
          />
          <div className="row">
            <SubmitButton variant="danger" busyText="Eliminando…">
              Eliminar mi cuenta
            </SubmitButton>
            <ButtonLink to="/cuenta" variant="quiet">
              Volver
            </ButtonLink>
          </div>
          <p className="text-muted">
            Si quieres conservar algo, antes <Link to="/cuenta#datos">descarga tus datos</Link>.
          </p>
        </ActionForm>
      </div>
    </CenteredPage>
  );
}

type Counted = [count: number, one: string, many: string, more?: string];

const countedTexts = (...parts: Counted[]): string[] =>
  parts.filter(([count]) => count).map(([count, one, many, more = ""]) => pluralize(count, one, many) + more);

const anonymisedTexts = ({ anonymous_consultations, replies, anonymous_reviews }: AccountDeletionView) =>
  countedTexts(
    [anonymous_consultations, "consulta anónima", "consultas anónimas"],
    [replies, "comentario", "comentarios"],
    [anonymous_reviews, "reseña sin nombre", "reseñas sin nombre"],
  );

const namedTexts = ({ named_consultations, answers, named_reviews }: AccountDeletionView) =>
  countedTexts(
    [named_consultations, "consulta con tu nombre", "consultas con tu nombre", ", con sus respuestas y comentarios."],
    [answers, "respuesta tuya", "respuestas tuyas", ", con sus comentarios y votos."],
    [named_reviews, "reseña con tu nombre", "reseñas con tu nombre", "."],
  );
