import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NewAnswersBadge } from "#app/components/badges.tsx";
import { Avatar } from "./avatar.tsx";
import { TextArea } from "./field.tsx";
import { FormMessage } from "./form-message.tsx";
import { PlainText } from "./plain-text.tsx";

const textOf = (element: ReactElement) => renderToStaticMarkup(element).replace(/<[^>]+>/g, "|");

test.each([
  ["Lic. Ana María Paz", "AM"],
  ["Dra. Ángela de la Paz", "ÁD"],
  ["Ps. (Ana) Paz", "P"],
  ["psic. sol", "S"],
])("Avatar shows the first two initials of %s without the title: %s", (name, initials) => {
  expect(textOf(<Avatar name={name} />)).toBe(`|${initials}|`);
});

test("Avatar of an anonymous author shows neither a name nor a photo", () => {
  const html = renderToStaticMarkup(<Avatar anonymous name="Ana Paz" src="/avatars/ana.webp" />);
  expect(html).not.toMatch(/AP|ana\.webp/);
});

test.each([
  [79, ""],
  [80, "Quedan 20 caracteres"],
  [99, "Queda 1 carácter"],
  [101, "Sobra 1 carácter"],
  [110, "Sobran 10 caracteres"],
])("TextArea with %i of 100 characters says: %j", (length, words) => {
  const shown = textOf(<TextArea label="Texto" limit={{ max: 100 }} defaultValue={"a".repeat(length)} />);
  expect(/(Queda|Sobra)[^|]*/.exec(shown)?.[0] ?? "").toBe(words);
});

test("a field describes its control by the error, then by the hint", () => {
  const html = renderToStaticMarkup(<TextArea id="a" label="Texto" hint="Se publica" error="Falta" />);
  expect(html).toContain('aria-describedby="a-error a-hint"');
  for (const text of ['id="a-error"', 'id="a-hint"', 'aria-invalid="true"']) expect(html).toContain(text);
});

test("an error takes the focus of its field without JavaScript instead of being a live region", () => {
  const html = renderToStaticMarkup(<TextArea label="Texto" error="Falta" />);
  expect(html).toMatch(/<textarea[^>]* autofocus=""/);
  expect(html).not.toContain("aria-live");
});

test.each([
  ["error", true],
  ["ok", false],
] as const)("FormMessage of the tone %s takes the focus without JavaScript: %s", (tone, focused) => {
  const html = renderToStaticMarkup(<FormMessage tone={tone} title="Revisa los datos" />);
  expect(html.includes("autofocus")).toBe(focused);
});

test("PlainText makes paragraphs at blank lines and keeps single line breaks", () => {
  expect(textOf(<PlainText text={" Uno\nDos\r\n \r\n\n  Tres <b>"} />)).toBe("||Uno\nDos||Tres &lt;b&gt;||");
});

test.each([
  [0, ""],
  [1, "||1 nueva|| 1 respuesta nueva||"],
  [100, "||99+ nuevas|| 100 respuestas nuevas||"],
])("NewAnswersBadge shows %i answers as %j", (count, shown) => {
  expect(textOf(<NewAnswersBadge count={count} />)).toBe(shown);
});
