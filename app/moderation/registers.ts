import type { Country } from "#shared/lists.ts";

/** Public registers where a licence can be looked up. */
export const REGISTERS: Record<Country, { name: string; url: string }> = {
  Argentina: { name: "REFEPS (SISA); las matrículas provinciales, en cada colegio", url: "https://sisa.msal.gov.ar/" },
  México: { name: "Registro Nacional de Profesionistas (SEP)", url: "https://cedulaprofesional.sep.gob.mx/" },
  España: { name: "Consejo General de la Psicología y el colegio territorial", url: "https://www.cop.es/" },
  Colombia: { name: "COLPSIC y ReTHUS", url: "https://www.colpsic.org.co/" },
  Chile: { name: "Registro de Prestadores de la Superintendencia de Salud", url: "https://rnpi.superdesalud.gob.cl/" },
  Perú: { name: "Colegio de Psicólogos del Perú: colegiado y habilitado", url: "https://cpsp.pe/" },
  Venezuela: { name: "Federación de Psicólogos de Venezuela", url: "https://fpv.org.ve/" },
  Paraguay: { name: "Control de Profesiones del MSPBS", url: "https://www.mspbs.gov.py/" },
  Uruguay: {
    name: "Ministerio de Salud Pública: pide la constancia digital del título",
    url: "https://www.gub.uy/tramites/",
  },
  Ecuador: {
    name: "SENESCYT (título) y ACESS (habilitación)",
    url: "https://www.senescyt.gob.ec/consulta-titulos-web/",
  },
  Panamá: { name: "Consejo Técnico de Salud (MINSA)", url: "https://www.minsa.gob.pa/" },
};
