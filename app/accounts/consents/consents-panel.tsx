import { ActionForm, SubmitButton } from "#app/components/action-form.tsx";
import { formatDate } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { AccountView } from "#shared/accounts.ts";
import { CONSENTS, CONSENTS_OF, type Consent } from "#shared/consents.ts";
import type { UserType } from "#shared/user-types.ts";
import "#app/accounts/account.css";

/** Text of each consent, and the consequence of withdrawing it. */
const WORDS: Record<Consent, { given: string; without: string }> = {
  adult_or_guardian: {
    given: "Tienes 18 años o más, o autorización de tu tutor.",
    without: "Si ya no es así, no podrás publicar, y te pedimos que elimines la cuenta.",
  },
  health_data: {
    given: "Tratamos los datos sobre tu salud que escribas.",
    without:
      "Sin este permiso no podemos guardar nada nuevo sobre tu salud: no podrás publicar consultas, respuestas, comentarios ni reseñas. Lo publicado sigue ahí hasta que lo borres o elimines la cuenta.",
  },
  professional_data: {
    given: "Tratamos tus datos profesionales y publicamos tu perfil.",
    without:
      "Sin este permiso no podrás publicar nada nuevo. Tu perfil y lo publicado siguen ahí hasta que elimines la cuenta.",
  },
  transfer_abroad: {
    given: "Tus datos se procesan fuera de tu país.",
    without:
      "Los datos de la cuenta no pueden quedarse en un solo país: sin este permiso no podrás publicar, y para que dejemos de procesarlos hay que eliminar la cuenta.",
  },
};

/**
 * Lists each consent with its version and time. Withdrawing is as easy as giving (specification, section 2, "Account").
 */
export function ConsentsPanel({ consents, userType }: { consents: AccountView["consents"]; userType: UserType }) {
  const shown = CONSENTS.filter(
    (kind) => CONSENTS_OF[userType].includes(kind) || consents.some((given) => given.kind === kind),
  );
  return (
    <Panel id="permisos" title="Tus permisos">
      <p className="text-muted panel__lead">
        Los diste al registrarte, por separado. Puedes retirarlos y darlos otra vez.
      </p>
      <ul className="account-list">
        {shown.map((kind) => (
          <ConsentLine key={kind} kind={kind} history={consents.filter((consent) => consent.kind === kind)} />
        ))}
      </ul>
    </Panel>
  );
}

const FORM = { action: "/cuenta", preventScrollReset: true };

function ConsentLine({ kind, history }: { kind: Consent; history: AccountView["consents"] }) {
  const current = history.findLast((consent) => consent.withdrawn_at === null);
  const last = history.at(-1);
  return (
    <li className="account-list__full-width">
      <p>
        <b>{WORDS[kind].given}</b>
        {history.map(({ accepted_at, withdrawn_at, version }) => (
          <span key={accepted_at} className="hint">
            Aceptado el {formatDate(accepted_at)}, versión del {formatDate(version)}.
            {withdrawn_at && ` Retirado el ${formatDate(withdrawn_at)}.`}
          </span>
        ))}
      </p>
      {current ? (
        <details>
          <summary className="button button--soft button--small">
            Retirar<span className="visually-hidden"> el permiso: {WORDS[kind].given}</span>
          </summary>
          <ActionForm {...FORM} fields={{ intent: "consent", kind }} className="stack above-3">
            <p>{WORDS[kind].without}</p>
            <SubmitButton variant="danger" small busyText="Retirando…">
              Retirar este permiso
            </SubmitButton>
          </ActionForm>
        </details>
      ) : (
        <ActionForm {...FORM} fields={{ intent: "consent", kind, given: "on" }} className="row">
          {last && <Badge tone="wait">Retirado</Badge>}
          <SubmitButton variant="soft" small busyText="Guardando…">
            {last ? "Darlo otra vez" : "Dar este permiso"}
            <span className="visually-hidden">: {WORDS[kind].given}</span>
          </SubmitButton>
        </ActionForm>
      )}
    </li>
  );
}
