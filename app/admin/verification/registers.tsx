import { ExternalIcon } from "#app/ui/more-icons.tsx";
import type { Country } from "#shared/countries.ts";
import "./registers.css";

type Register = { name: string; url: string };

/** Public registers where a licence can be looked up (specification, section 3.4). Where two have to agree, both stand here. */
const REGISTERS: Record<Country, readonly Register[]> = {
  Argentina: [
    { name: "REFEPS (SISA); las matrículas provinciales, en cada colegio", url: "https://sisa.msal.gov.ar/" },
  ],
  México: [{ name: "Registro Nacional de Profesionistas (SEP)", url: "https://cedulaprofesional.sep.gob.mx/" }],
  España: [{ name: "Consejo General de la Psicología y el colegio territorial", url: "https://www.cop.es/" }],
  Colombia: [
    { name: "COLPSIC", url: "https://www.colpsic.org.co/" },
    { name: "ReTHUS", url: "https://web.sispro.gov.co/" },
  ],
  Chile: [
    { name: "Registro de Prestadores de la Superintendencia de Salud", url: "https://rnpi.superdesalud.gob.cl/" },
  ],
  Perú: [{ name: "Colegio de Psicólogos del Perú: colegiado y habilitado", url: "https://cpsp.pe/" }],
  Venezuela: [{ name: "Federación de Psicólogos de Venezuela", url: "https://fpv.org.ve/" }],
  Paraguay: [{ name: "Control de Profesiones del MSPBS", url: "https://www.mspbs.gov.py/" }],
  Uruguay: [
    {
      name: "Ministerio de Salud Pública: pide la constancia digital del título",
      url: "https://www.gub.uy/tramites/",
    },
  ],
  Ecuador: [
    { name: "SENESCYT (título)", url: "https://www.senescyt.gob.ec/consulta-titulos-web/" },
    { name: "ACESS (habilitación)", url: "https://saccs.acess.gob.ec/" },
  ],
  Panamá: [{ name: "Consejo Técnico de Salud (MINSA)", url: "https://www.minsa.gob.pa/" }],
};

/** Links to the registers of a country, for looking a licence up. */
export function Registers({ country }: { country: string | null }) {
  if (country === null) return <p>Pregúntale su país: sin él no se sabe en qué registro buscar.</p>;
  return (
    <div className="desk-registers">
      {REGISTERS[country as Country].map(({ name, url }) => (
        <a key={url} href={url} target="_blank" rel="noopener noreferrer">
          <span>
            {name}
            <span className="visually-hidden"> (se abre en otra pestaña)</span>
          </span>
          <ExternalIcon size="s" />
        </a>
      ))}
    </div>
  );
}
