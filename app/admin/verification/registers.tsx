import { ExternalIcon } from "#app/ui/more-icons.tsx";
import type { Country } from "#shared/countries.ts";
import { REGISTERS } from "#shared/registers.ts";
import "./registers.css";

/** Links to the official registers of a country. */
export function Registers({ country, whose }: { country: string | null; whose: string }) {
  if (country === null) return <p>Pregúntale su país: sin él no se sabe en qué registro buscar.</p>;
  return (
    <div className="license-registers">
      {REGISTERS[country as Country].map(({ name, note, url }) => (
        <a key={url} href={url} target="_blank" rel="noopener noreferrer">
          <span>
            {name}
            {note}
            <span className="visually-hidden">, para {whose} (se abre en otra pestaña)</span>
          </span>
          <ExternalIcon size="s" />
        </a>
      ))}
    </div>
  );
}
