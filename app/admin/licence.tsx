import { CopyButton } from "#app/ui/copy-button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import type { Country } from "#shared/countries.ts";
import { REGISTERS } from "#shared/licence-registers.ts";
import "./licence.css";

export const ChangedBadge = () => <mark className="badge badge--wait changed-badge">cambió</mark>;

type LicenceProps = { number: string; country: string | null; changed: readonly string[]; whose: string };

export function Licence({ number, country, changed, whose }: LicenceProps) {
  return (
    <dl className={country ? "licence-details" : "licence-details has-gap"}>
      <div>
        <dt>
          Matrícula o registro{country && `, ${country}`}
          {changed.includes("country") && <ChangedBadge />}
        </dt>
        <dd className="licence-details__number">
          <span>
            {number}
            {changed.includes("license_number") && <ChangedBadge />}
          </span>
          <CopyButton
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
            <p className="licence-details__missing">
              <b>Falta el país.</b> Pregúntale su país: sin él no se sabe en qué registro buscar.
            </p>
          )}
        </dd>
      </div>
    </dl>
  );
}

export function Registers({ country, whose }: { country: string | null; whose: string }) {
  if (country === null) return <p>Pregúntale su país: sin él no se sabe en qué registro buscar.</p>;
  return (
    <div className="row licence-registers">
      {REGISTERS[country as Country].map(({ name, note, url }) => (
        <a key={url} className="tap-link" href={url} target="_blank" rel="noopener noreferrer">
          <span>
            {name}
            {note}
            <span className="visually-hidden">, para {whose} (se abre en otra pestaña)</span>
          </span>
          <Icon name="external" size="s" />
        </a>
      ))}
    </div>
  );
}
