import { useEffect, useState } from "react";
import { NewValue } from "#app/admin/changed.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import { CopyIcon } from "#app/ui/more-icons.tsx";
import { useToast } from "#app/ui/toast.tsx";
import { Registers } from "./registers.tsx";
import "./licence.css";

/** What has to agree with the register: the number, to be copied there, and where to look. */
export function Licence({
  number,
  country,
  changed,
}: {
  number: string;
  country: string | null;
  changed: readonly string[];
}) {
  return (
    <dl className={country ? "desk-licence" : "desk-licence has-gap"}>
      <div>
        <dt>
          Matrícula o registro{country && `, ${country}`}
          {changed.includes("country") && <NewValue />}
        </dt>
        <dd className="desk-licence__number">
          <span>
            {number}
            {changed.includes("license_number") && <NewValue />}
          </span>
          <Copy text={number} />
        </dd>
      </div>
      <div>
        <dt className="visually-hidden">Dónde se comprueba</dt>
        <dd>
          {country ? (
            <Registers country={country} />
          ) : (
            <p className="desk-licence__gap">
              <b>Falta el país.</b> Pregúntale su país: sin él no se sabe en qué registro buscar.
            </p>
          )}
        </dd>
      </div>
    </dl>
  );
}

/** Copies a number; where that is not possible there is nothing. */
function Copy({ text }: { text: string }) {
  const toast = useToast();
  const [able, setAble] = useState(false);
  const [copied, setCopied] = useState(false);
  useEffect(() => setAble(navigator.clipboard !== undefined), []);
  if (!able) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        toast({ title: "Número copiado" });
      },
      () => toast({ title: "No se ha copiado", description: `Puedes copiarlo a mano: ${text}`, tone: "error" }),
    );
  return (
    <IconButton label={`Copiar ${text}`} onClick={() => void copy()}>
      {copied ? <CheckIcon size="s" /> : <CopyIcon size="s" />}
    </IconButton>
  );
}
