/**
 * Compiles Markdown pages to components at build time, so that links stay router links and no parser is loaded.
 *
 * `{PRODUCT_NAME}` is the name. A quotation is a panel, with the colour of help if it begins with `[!WARNING]`. A wholly
 * emphasised paragraph is quieter. A paragraph `: words` before a table is its caption. `<br>` separates the two
 * paragraphs of a cell. Comments are for editors. Images and unclosed HTML fail the build; other Markdown,
 * such as numbered lists, has no style.
 */
import { Marked } from "marked";
import { type Plugin, transformWithOxc } from "vite";
import { PRODUCT_NAME } from "#shared/product.ts";

const marked = new Marked({
  // JSX ignores line breaks, which are spaces in a text.
  walkTokens(token) {
    if (token.type === "text") token.text = token.text.replaceAll("\n", " ");
  },
});

/** JSX in place of parts of the HTML, in this order. */
const REPLACED: [part: RegExp, jsx: string][] = [
  [/<!--.*?-->/gs, ""],
  [/<h1>/g, '<h1 className="title-xl">'],
  [/<h2>/g, '<h2 className="title-m">'],
  [/<h3>/g, '<h3 className="title-s">'],
  [/<ul>/g, '<ul className="bullets">'],
  [/<p>: (.*)<\/p>\n<table>/g, '<table className="data-table"><caption className="visually-hidden">$1</caption>'],
  [/<th>/g, '<th scope="col">'],
  [/<tr>\n<td>(.*)<\/td>/g, '<tr><th scope="row">$1</th>'],
  [/<td>(.*)<br>(.*)<\/td>/g, "<td><p>$1</p><p>$2</p></td>"],
  [/<p><em>([^<]*)<\/em><\/p>/g, '<p className="text-muted">$1</p>'],
  // A page with its own security policy: a link to it loads a whole document.
  [/<a (?=href="\/planes")/g, "<a reloadDocument "],
  [/<a (.*?)href="(.*?)">(.*?)<\/a>/g, '<Link $1to="$2">$3</Link>'],
  [/<blockquote>\n<p>\[!WARNING\]<\/p>/g, '</section><section className="panel panel--clay stack">'],
  [/<blockquote>/g, '</section><section className="panel stack">'],
  [/<\/blockquote>/g, '</section><section className="section stack">'],
  // The title's part has no heading of a section.
  [/^(.*?)<\/section>/s, '<div className="section stack">$1</div>'],
];

const componentOf = (markdown: string) => {
  const html = marked.parse(markdown.replaceAll("{PRODUCT_NAME}", PRODUCT_NAME), { async: false });
  const jsx = REPLACED.reduce((before, [part, after]) => before.replace(part, after), `${html}</section>`);
  return `import { Link } from "react-router"; export default () => <>${jsx}</>;`;
};

/** Vite plugin that lets routes import Markdown files as components. */
export const prose = (): Plugin => ({
  name: "prose",
  enforce: "pre",
  async transform(markdown, id) {
    if (!id.endsWith(".md")) return null;
    const { code } = await transformWithOxc(componentOf(markdown), `${id}.jsx`, { jsx: { runtime: "automatic" } });
    return { code, moduleType: "js", map: null };
  },
});
