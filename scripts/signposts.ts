/** Where things are, for who has just started the development server: a place, and what is there. */
export const PLACES: [place: string, what: string][] = [
  ["app/routes.ts", "every page and its file; what it shows is in app/<feature>/"],
  ["shared/contract.ts", "every operation of the API; it lives in server/<feature>/routes.ts"],
  ["app/app.css", "the layers of the styles; each component has its own beside it"],
  ["migrations/schema.sql", "the tables; a change is the next file beside it"],
  ["docs/architecture.md", "how a request, a vote and a payment travel"],
  ["docs/spec-map.md", "the tests of each line of the specification"],
  ["docs/glossary.md", "the words of the code"],
];
/** Addresses that only a development server or the demo has, and the API's document. */
const ADDRESSES: [path: string, what: string][] = [
  ["/_ui", "every part in every state"],
  ["/correo", "the mails of the demo"],
  ["/api/docs", "the API's operations, with what goes in and out"],
];

/** The lines that `npm run dev` prints before it starts. */
export function signposts(): string {
  const rows = [...PLACES, ...ADDRESSES];
  const width = Math.max(...rows.map(([place]) => place.length));
  return rows.map(([place, what]) => `  ${place.padEnd(width)}  ${what}`).join("\n");
}
