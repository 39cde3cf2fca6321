import { ChangedBadge } from "#app/admin/version-conflict.tsx";
import { CopyIconButton } from "#app/ui/copy-button.tsx";
import { Registers } from "./registers.tsx";
import "./licence.css";

/** Licence data to compare with the register: the number with a copy button, and links to the register. */
export function Licence({
  number,
  country,
  changed,
  whose,
}: {
  number: string;
  country: string | null;
  changed: readonly string[];
  whose: string;
}) {
  return (
    <dl className={country ? "license-details" : "license-details has-gap"}>
      <div>
        <dt>
          Matrícula o registro{country && `, ${country}`}
          {changed.includes("country") && <ChangedBadge />}
        </dt>
        <dd className="license-details__number">
          <span>
            {number}
            {changed.includes("license_number") && <ChangedBadge />}
          </span>
          <CopyIconButton
            label={`Copiar ${number}, de ${whose}`}
            text={number}
            copiedToast="Número copiado"
            actionError={{ title: "No se ha copiado", description: `Puedes copiarlo a mano: ${number}` }}
          />
        </dd>
      </div>
      <div>
        <dt className="visually-hidden">Dónde se comprueba</dt>
        <dd>
          {country ? (
            <Registers country={country} whose={whose} />
          ) : (
            <p className="license-details__missing">
              <b>Falta el país.</b> Pregúntale su país: sin él no se sabe en qué registro buscar.
            </p>
          )}
        </dd>
      </div>
    </dl>
  );
}
