/** Places of the repository for a developer who just started the development server, with their content. */
const PLACES: [place: string, what: string][] = [
  ["app/routes.ts", "all pages with their files; their components are in app/<feature>/"],
  ["shared/contract.ts", "all operations of the API; their code is in server/<feature>/routes.ts"],
  ["app/app.css", "the layers of the styles; each component has its own style sheet"],
  ["migrations/0001_schema.sql", "the tables; change this file until the first release"],
  ["docs/architecture.md", "how a request, a vote and a payment travel"],
  ["docs/spec-map.md", "the tests of each requirement"],
  ["docs/glossary.md", "the terms of the code"],
];
/** URLs of the development server or the demo, and of the API's document. */
const ADDRESSES: [path: string, what: string][] = [
  ["/correo", "the mails of the demo"],
  ["/api/docs", "the API's operations with inputs and outputs"],
];

/** Returns the lines that `npm run dev` prints before it starts. */
export function devHints(): string {
  const rows = [...PLACES, ...ADDRESSES];
  const width = Math.max(...rows.map(([place]) => place.length));
  return rows.map(([place, what]) => `  ${place.padEnd(width)}  ${what}`).join("\n");
}
