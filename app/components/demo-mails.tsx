import { EmptyState } from "#app/ui/empty-state.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { DemoMailView } from "#shared/mail.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import "./demo-mails.css";

type DemoMailsProps = { mails: DemoMailView[]; now: string; publicUrl: string; sendsMail: boolean };

export function DemoMails({ mails, now, publicUrl, sendsMail }: DemoMailsProps) {
  return (
    <main id="contenido" className="page section">
      <div className="reading-column stack stack--page">
        <h1 className="title-xl">Correos de la demostración</h1>
        <p className="text-muted">
          {sendsMail
            ? "Hay un servidor de correo configurado: los correos salen de verdad, hacia sus destinatarios. Aquí solo están los que se guardaron antes."
            : `Aquí quedan los correos que ${PRODUCT_NAME} habría enviado, el más nuevo primero. No salen de esta máquina.`}
        </p>
        <p>
          <a className="button button--soft button--small" href="/correo">
            Buscar correos nuevos
          </a>
        </p>
        {mails.length === 0 ? (
          <EmptyState title={sendsMail ? "No hay correos guardados." : "Todavía no hay correos."}>
            {!sendsMail && "Regístrate o pide una contraseña nueva: el mensaje aparece aquí en unos segundos."}
          </EmptyState>
        ) : (
          mails.map((mail) => (
            <article key={mail.id} className="panel" aria-labelledby={mail.id}>
              <p className="meta">
                <span>Para {mail.to}</span>
                <RelativeTime datetime={mail.created_at} now={now} />
              </p>
              <h2 id={mail.id} className="title-s mail__subject">
                {mail.subject}
              </h2>
              <p className="mail__text">
                <Linked text={mail.text} origin={publicUrl} />
              </p>
            </article>
          ))
        )}
      </div>
    </main>
  );
}

/** Renders a mail's text. Links only the URLs of this site. */
function Linked({ text, origin }: { text: string; origin: string }) {
  return text.split(/(https?:\/\/\S+)/).map((part, at) => {
    const url = at % 2 === 1 ? URL.parse(part) : null;
    if (url?.origin !== origin) return part;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
      <a key={at} href={url.pathname + url.search + url.hash}>
        {part}
      </a>
    );
  });
}
