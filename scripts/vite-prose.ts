/**
 * Compiles Markdown pages to components at build time, so that links stay router links and no parser is loaded.
 *
 * `{PRODUCT_NAME}` is the name. A quotation is a panel, with the colour of help if it begins with `[!WARNING]`. A wholly
 * emphasised paragraph is quieter. A paragraph `: words` before a table is its caption. `<br>` separates the paragraphs of
 * a cell. Comments are for editors. Anything else, such as images, HTML, numbered or nested lists, fails the build.
 */
import { marked, type Token, type Tokens } from "marked";
import type { Plugin } from "vite";

/** Pages with their own security policy: a link to them loads a whole document. */
const OWN_DOCUMENT = new Set(["/planes"]);

const HEADINGS: Record<number, string> = { 1: "title-xl", 2: "title-m", 3: "title-s" };

/** Converts a text of the file to code: `{PRODUCT_NAME}` is the constant of that name. */
const text = (words: string) =>
  `\`${words
    .replaceAll("\n", " ")
    .replace(/[`\\$]/g, "\\$&")
    .replaceAll("{PRODUCT_NAME}", "$" + "{PRODUCT_NAME}")}\``;

/** Converts an element to code; `name` is a quoted tag or a component. */
const element = (name: string, properties: object | null, ...children: string[]) =>
  `h(${[name, JSON.stringify(properties), ...children].join(", ")})`;

function inline(token: Token): string {
  switch (token.type) {
    case "text":
      return text(token.text);
    case "strong":
    case "em":
      return element(`"${token.type}"`, null, ...inlines(token));
    case "link":
      return element("Link", { to: token.href, reloadDocument: OWN_DOCUMENT.has(token.href) }, ...inlines(token));
    default:
      throw unsupported(token);
  }
}

const unsupported = ({ type, raw }: Token) => new Error(`Unsupported Markdown: ${type}: ${raw}`);

function inlines(token: Token): string[] {
  if (!("tokens" in token) || !token.tokens) throw unsupported(token);
  return token.tokens.map(inline);
}

/** Converts a paragraph; a completely emphasised one gets a soft style. */
function paragraph(tokens: Token[]): string {
  const [first, ...others] = tokens;
  if (first?.type === "em" && !others.length) return element('"p"', { className: "text-muted" }, ...inlines(first));
  return element('"p"', null, ...tokens.map(inline));
}

/** Converts the content of a cell: a text, or paragraphs separated by `<br>`. */
function cell({ tokens }: Tokens.TableCell): string[] {
  const paragraphs: Token[][] = [[]];
  for (const token of tokens) {
    if (token.raw === "<br>") paragraphs.push([]);
    else paragraphs.at(-1)!.push(token);
  }
  return paragraphs.length > 1 ? paragraphs.map(paragraph) : tokens.map(inline);
}

/** Converts a table whose rows begin with a header, with its caption: the paragraph before it. */
function table({ header, rows, ...token }: Tokens.Table, before: Token | undefined): string {
  const caption = captionIn(before);
  if (caption === null) throw unsupported(token as Token);
  const heads = header.map((one) => element('"th"', { scope: "col" }, ...cell(one)));
  const body = rows.map(([first, ...others]) =>
    element(
      '"tr"',
      null,
      element('"th"', { scope: "row" }, ...cell(first!)),
      ...others.map((one) => element('"td"', null, ...cell(one))),
    ),
  );
  return element(
    '"table"',
    { className: "data-table" },
    element('"caption"', { className: "visually-hidden" }, text(caption)),
    element('"thead"', null, element('"tr"', null, ...heads)),
    element('"tbody"', null, ...body),
  );
}

/** Returns the caption of a table: the paragraph before it that begins with ": ", or null. */
const captionIn = (token: Token | undefined): string | null =>
  token?.type === "paragraph" && token.text.startsWith(": ") ? token.text.slice(2) : null;

const isComment = ({ type, raw }: Token) => type === "html" && /^<!--.*-->\s*$/s.test(raw);

function blocks(tokens: Token[]): string[] {
  const shown = tokens.filter((token) => token.type !== "space" && !isComment(token));
  return shown.flatMap((token, at) => {
    if (captionIn(token) !== null && shown[at + 1]?.type === "table") return [];
    switch (token.type) {
      case "heading":
        if (!HEADINGS[token.depth]) throw unsupported(token);
        return element(`"h${token.depth}"`, { className: HEADINGS[token.depth] }, ...inlines(token));
      case "paragraph":
        return paragraph(token.tokens ?? []);
      case "list":
        return list(token as Tokens.List);
      case "table":
        return table(token as Tokens.Table, shown[at - 1]);
      default:
        throw unsupported(token);
    }
  });
}

/** Converts a list of single paragraphs. */
function list({ items, ordered, ...token }: Tokens.List): string {
  const isSimple = items.every(
    ({ task, tokens }) => !task && tokens.every(({ type }) => type === "text" || type === "paragraph"),
  );
  if (ordered || !isSimple) throw unsupported(token as Token);
  return element(
    '"ul"',
    { className: "bullets" },
    ...items.map(({ tokens }) => element('"li"', null, ...tokens.flatMap(inlines))),
  );
}

const WARNING = /^\[!WARNING\]\s*/;

/** Returns the parts of the page: a quote is a panel, and a quote with [!WARNING] has the colour of help. */
function parts(tokens: Token[]): string[] {
  const found: { panel: Tokens.Blockquote | null; tokens: Token[] }[] = [];
  for (const token of tokens) {
    if (token.type === "blockquote") found.push({ panel: token as Tokens.Blockquote, tokens: [] });
    else if (!found.length || found.at(-1)!.panel) found.push({ panel: null, tokens: [token] });
    else found.at(-1)!.tokens.push(token);
  }
  return found
    .filter(({ panel, tokens }) => panel || blocks(tokens).length)
    .map(({ panel, tokens }) => {
      if (panel) {
        const warns = WARNING.test(panel.text);
        const className = warns ? "panel panel--clay stack" : "panel stack";
        return element('"section"', { className }, ...blocks(marked.lexer(panel.text.replace(WARNING, ""))));
      }
      const isTitle = tokens.some((token) => token.type === "heading" && token.depth === 1);
      return element(isTitle ? '"div"' : '"section"', { className: "section stack" }, ...blocks(tokens));
    });
}

/**
 * Returns the module of a page of prose; its default export is a component.
 * @throws Error for unsupported Markdown such as an image
 */
const proseModule = (markdown: string): string =>
  [
    'import { createElement as h, Fragment } from "react";',
    'import { Link } from "react-router";',
    'import { PRODUCT_NAME } from "#shared/product.ts";',
    `export default () => ${element("Fragment", null, ...parts(marked.lexer(markdown)))};`,
  ].join("\n");

/** Vite plugin that lets routes import Markdown files as components. */
export const prose = (): Plugin => ({
  name: "prose",
  enforce: "pre",
  transform(code, id) {
    return id.endsWith(".md") ? { code: proseModule(code), moduleType: "js", map: null } : null;
  },
});
