import type { Country } from "./countries.ts";

type Register = {
  name: string;
  /** What the administrator must look up there. */
  note?: string;
  url: string;
};

/** Public registers of licences (specification, section 3.4). Some countries have two that must agree. */
export const REGISTERS: Record<Country, readonly Register[]> = {
  Argentina: [
    { name: "REFEPS (SISA)", note: "; las matrículas provinciales, en cada colegio", url: "https://sisa.msal.gov.ar/" },
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
  Perú: [{ name: "Colegio de Psicólogos del Perú", note: ": colegiado y habilitado", url: "https://cpsp.pe/" }],
  Venezuela: [{ name: "Federación de Psicólogos de Venezuela", url: "https://fpv.org.ve/" }],
  Paraguay: [{ name: "Control de Profesiones del MSPBS", url: "https://www.mspbs.gov.py/" }],
  Uruguay: [
    {
      name: "Ministerio de Salud Pública",
      note: ": pide la constancia digital del título",
      url: "https://www.gub.uy/tramites/",
    },
  ],
  Ecuador: [
    { name: "SENESCYT", note: " (título)", url: "https://www.senescyt.gob.ec/consulta-titulos-web/" },
    { name: "ACESS", note: " (habilitación)", url: "https://saccs.acess.gob.ec/" },
  ],
  Panamá: [{ name: "Consejo Técnico de Salud (MINSA)", url: "https://www.minsa.gob.pa/" }],
};
