/** Texts that the specification quotes, and how to find them on a page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Quoted texts by the ids of the requirements that quote them. */
export type Texts = Record<string, readonly string[]>;

/** Texts that only appear in a browser, and the test that expects them. */
export const IN_BROWSER: Record<string, Texts> = {
  "contents.spec.ts": {
    "S8.7-4": ["Debes estar autenticado para subir archivos"],
    "S8.7-7": ["Error al subir archivo", "No se pudo subir la imagen. Intenta de nuevo."],
    "S8.7-8": ["¡Imagen subida exitosamente!"],
  },
  "decisions.spec.ts": { "S8.6-5": ["Error"], "S8.6-6": ["No se pudo actualizar el estado de verificación"] },
  "faults.spec.ts": {
    "S8.2-3": ["No se pudo enviar la reseña"],
    "S8.3-3": ["Debes iniciar sesión para crear una consulta"],
    "S8.3-6": ["No se pudo crear la consulta"],
    "S8.4-9": ["Debes iniciar sesión para responder"],
    "S8.7-1": ["No se pudieron guardar los cambios"],
  },
  "feed-and-votes.spec.ts": { "S8.1-1": ["Error"], "S8.4-1": ["Debes iniciar sesión para votar"] },
  "no-javascript.spec.ts": { "S8.5-1": ["¡Bienvenido!"], "S8.5-2": ["¡Registro exitoso!"] },
  "paying-mercadopago.spec.ts": {
    "S8.8-9": ["No se pudo abrir MercadoPago. Verifica que no esté bloqueado el popup."],
  },
  "test-payments.spec.ts": {
    "S8.8-1": ["No se pudo activar la suscripción"],
    "S8.8-4": ["Suscripción cancelada"],
    "S8.8-6": ["Debes iniciar sesión para suscribirte"],
    "S8.8-7": ["Error en la suscripción", "Hubo un problema al procesar tu pago"],
    "S8.8-8": ["Error de PayPal", "Hubo un problema con el procesador de pagos"],
    "S8.8-10": ["Error en el pago", "Hubo un problema al procesar tu pago. Inténtalo nuevamente."],
    "S8.8-11": ["¡Suscripción exitosa!"],
    "S8.8-12": ["¡Pago exitoso!"],
  },
};

/** Matches text in single quotes. An apostrophe follows a letter, so it does not open a quote. */
const QUOTES = /(?<![\p{L}\d])'([^']+)'(?![\p{L}\d])/gu;

/** Returns all texts that the specification quotes, each after the id of its requirement. */
export const quotedTexts = (): string[] =>
  readFileSync(join(import.meta.dirname, "..", "docs", "specification.md"), "utf8")
    .split("\n")
    .flatMap((line, at) => {
      const texts = Array.from(line.replace(/`[^`]*`/g, "").matchAll(QUOTES), ([, text]) => text!);
      const id = /\*\*(S[\d.]+-\d+)\*\*/.exec(line)?.[1];
      if (texts.length && !id) throw new Error(`Line ${at + 1} of the specification quotes a text but has no id.`);
      return texts.map((text) => `${id} '${text}'`);
    });

/** Returns the visible words of a page. */
export const wordsOf = (html: string) =>
  /<body[\s\S]*<\/body>/
    .exec(html)![0]
    .replace(/<(script|style|noscript)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<(\w+)[^>]*class="[^"]*visually-hidden[^"]*"[^>]*>[^<]*<\/\1>/g, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

/** Matches a quoted text as whole words. */
export function patternOf(text: string, filled: Record<string, string>): RegExp {
  const words = text.replace(/\{(\w+)\}/g, (_, name: string) => filled[name]!);
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\d])${escaped}${/[\p{L}\d]$/u.test(text) ? "(?![\\p{L}\\d])" : ""}`, "u");
}
