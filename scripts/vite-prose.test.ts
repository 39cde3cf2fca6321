import { createElement, Fragment, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { proseModule } from "./vite-prose.ts";

/** A link that shows whether it loads a whole document. */
const Link = ({ to, reloadDocument, children }: { to: string; reloadDocument: boolean; children: ReactNode }) =>
  createElement("a", { href: to, "data-whole": reloadDocument || undefined }, children);

/** Renders the HTML of a page of prose. */
function html(markdown: string): string {
  const code = proseModule(markdown)
    .replace(/^import .*\n/gm, "")
    .replace("export default", "return");
  const Prose = new Function("h", "Fragment", "Link", "PRODUCT_NAME", code)(createElement, Fragment, Link, "Sala");
  return renderToStaticMarkup(createElement(Prose));
}

test("proseModule splits a page into the title's part, panels and sections", () => {
  expect(
    html("<!-- Not shown. -->\n\n# Title\n\n*Version*\n\n> [!WARNING]\n> ## Careful\n\n> ## Short\n\n### Rest"),
  ).toBe(
    '<div class="section stack"><h1 class="title-xl">Title</h1><p class="text-muted">Version</p></div>' +
      '<section class="panel panel--clay stack"><h2 class="title-m">Careful</h2></section>' +
      '<section class="panel stack"><h2 class="title-m">Short</h2></section>' +
      '<section class="section stack"><h3 class="title-s">Rest</h3></section>',
  );
});

test("proseModule renders texts, lines, lists and links with the product's name", () => {
  expect(html("{PRODUCT_NAME} costs 0\nand **$" + "{nothing}**\n\n- [one](/a)\n- [two](/planes)")).toBe(
    '<section class="section stack"><p>Sala costs 0 and <strong>$' +
      "{nothing}</strong></p>" +
      '<ul class="bullets"><li><a href="/a">one</a></li><li><a href="/planes" data-whole="true">two</a></li></ul></section>',
  );
});

test("proseModule renders a table with its caption and row headers", () => {
  expect(html(": Caption\n\n| A | B |\n|---|---|\n| one | two<br>*three* |")).toBe(
    '<section class="section stack"><table class="data-table"><caption class="visually-hidden">Caption</caption>' +
      '<thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead>' +
      '<tbody><tr><th scope="row">one</th><td><p>two</p><p class="text-muted">three</p></td></tr></tbody></table></section>',
  );
});

test("proseModule throws for unsupported Markdown", () => {
  for (const markdown of ["![picture](/x.png)", "<script>x</script> words", "```\ncode\n```"])
    expect(() => proseModule(markdown), markdown).toThrow("Unsupported Markdown");
});
