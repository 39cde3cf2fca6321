import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { PRODUCT_NAME } from "#shared/product.ts";

/** A mail without a recipient. Paragraphs are plain text; a link has its own line. */
export type MailContent = {
  subject: string;
  paragraphs: string[];
  action: { label: string; url: string };
  footnote?: string;
  /** Unsubscribe URL. A mail with it is discreet: it does not reveal the type of the site. */
  unsubscribe?: string;
};

const ink = "#1e2826";
const style = {
  body: {
    margin: 0,
    padding: "32px 16px",
    background: "#f3ece2",
    color: ink,
    fontFamily: "'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
    fontSize: 17,
    lineHeight: 1.6,
  },
  card: {
    maxWidth: 560,
    margin: "0 auto",
    padding: "28px 28px 32px",
    background: "#fffbf5",
    borderRadius: "28px 28px 28px 6px",
  },
  button: {
    display: "inline-block",
    padding: "14px 26px",
    borderRadius: 99,
    background: "#12505a",
    color: "#fdf8ef",
    fontWeight: 600,
    textDecoration: "none",
  },
  small: { fontSize: 14, color: "#45504c" },
} as const;

const URGENT = `${PRODUCT_NAME} no atiende urgencias. Si hay peligro ahora, mira las líneas de ayuda de tu país:`;
const STOP = "No quiero recibir estos avisos";

function Layout({ content, publicUrl }: { content: MailContent; publicUrl: string }): ReactNode {
  return (
    <html lang="es">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{content.subject}</title>
      </head>
      <body style={style.body}>
        <div style={style.card}>
          <p style={{ margin: 0, fontWeight: 700, fontSize: 22 }}>{PRODUCT_NAME}</p>
          {content.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p>
            <a href={content.action.url} style={style.button}>
              {content.action.label}
            </a>
          </p>
          <p style={style.small}>Si el botón no funciona, copia esta dirección en tu navegador: {content.action.url}</p>
          {content.footnote && <p style={style.small}>{content.footnote}</p>}
        </div>
        <p style={{ ...style.small, maxWidth: 560, margin: "16px auto 0" }}>
          {content.unsubscribe ? (
            <a href={content.unsubscribe} style={{ color: "inherit" }}>
              {STOP}
            </a>
          ) : (
            `${URGENT} ${publicUrl}/ayuda`
          )}
        </p>
      </body>
    </html>
  );
}

/** Renders a mail as HTML and as text with the same content. */
export function renderMail(content: MailContent, publicUrl: string) {
  const { subject, paragraphs, action, footnote, unsubscribe } = content;
  const html = `<!doctype html>${renderToStaticMarkup(<Layout content={content} publicUrl={publicUrl} />)}`;
  const text = [
    ...paragraphs,
    `${action.label}:\n${action.url}`,
    ...(footnote ? [footnote] : []),
    unsubscribe ? `${STOP}:\n${unsubscribe}` : `${URGENT} ${publicUrl}/ayuda`,
  ].join("\n\n");
  return { subject, html, text, ...(unsubscribe && { unsubscribe }) };
}
