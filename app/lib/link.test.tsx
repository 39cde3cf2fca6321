import { renderToString } from "react-dom/server";
import { MemoryRouter, Link as RouterLink } from "react-router";
import { expect, test } from "vitest";
import { Link } from "./link.tsx";

test("renders the same HTML as the router's link on the server", () => {
  const links = (One: typeof Link) => (
    <>
      <One to="/consulta/1?orden=votadas#respuestas" className="read-link" aria-label="Ver">
        Ver
      </One>
      <One to="/?pais=M%C3%A9xico">México</One>
    </>
  );
  const router = renderToString(<MemoryRouter>{links(RouterLink as typeof Link)}</MemoryRouter>);
  const sorted = (html: string) =>
    html.replace(/<a ([^>]*)>/g, (_, all: string) => `<a ${all.split('" ').sort().join("|")}>`);
  expect(sorted(renderToString(links(Link)))).toBe(sorted(router));
});
