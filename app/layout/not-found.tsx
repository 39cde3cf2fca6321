import { data } from "react-router";
import { pageMeta } from "#app/lib/page-meta.ts";
import { runLoader } from "#app/lib/page-request.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { AppError, type ErrorBody } from "#shared/errors.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/not-found.ts";
import "#app/components/demo-mails.css";

export const meta: Route.MetaFunction = () => pageMeta("Correos de la demostración");

/** The demo's mails have no route, because outside the demo their 404 would differ from other unknown paths. */
export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, publicUrl, sendsMail }) => {
    if (args.params["*"] !== "correo") throw new AppError("not_found");
    return { mails: await api.demo.mails({}), publicUrl, sendsMail };
  });

export function action(): never {
  throw data<ErrorBody>({ code: "not_found" }, { status: 404 });
}

export default function DemoMails({ loaderData }: Route.ComponentProps) {
  const { mails, publicUrl, sendsMail } = loaderData;
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
                <RelativeTime datetime={mail.created_at} />
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

/** Links only the URLs of this site. */
function Linked({ text, origin }: { text: string; origin: string }) {
  return text.split(/(https?:\/\/\S+)/).map((part, at) => {
    if (at % 2 === 0 || !`${part}/`.startsWith(`${origin}/`)) return part;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
      <a key={at} href={part.slice(origin.length) || "/"}>
        {part}
      </a>
    );
  });
}
