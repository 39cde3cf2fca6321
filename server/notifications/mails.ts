import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, link, mailToAddress } from "../mail/composing.ts";
import { linkToken } from "../tokens.ts";
import { digestReader, moveDigest, newUnanswered } from "./store.ts";

const counted = (n: number) => (n === 1 ? "1 consulta nueva" : `${n} consultas nuevas`);

/** Path of the feed with the unanswered consultations. */
const feedPath = (country: string | null, category: string | null) =>
  `/?${new URLSearchParams({ ...(country && { pais: country }), ...(category && { categoria: category }), orden: "pendientes" })}#consultas`;

export const digestMails: Composers<"digest"> = {
  /** Has only numbers and links: a text in a mailbox could not be deleted by its author. */
  async digest(context, { profile_id, since, until }) {
    const { db, publicDb, config } = context;
    const [from, to] = [new Date(since), new Date(until)];
    const reader = await digestReader(db, profile_id, from);
    const groups = reader ? await newUnanswered(publicDb, reader.country, reader.digest_categories, from, to) : [];
    // Moved before sending: a job that was killed sends nothing again.
    if (!reader || !groups.length || !(await moveDigest(db, profile_id, from, to))) return null;
    const n = groups.reduce((sum, group) => sum + group.n, 0);
    const { country } = reader;
    return {
      ...mailToAddress(reader.email, {
        subject: `Tu resumen del día en ${PRODUCT_NAME}`,
        paragraphs: [
          "Hola:",
          `Desde tu último resumen hay ${counted(n)} sin responder${country ? ` en ${country}` : ""}.`,
        ],
        links: groups.map(({ category, n }) => ({
          label: `${category ?? "Sin categoría"}: ${n}`,
          url: link(context, feedPath(country, category)),
        })),
        action: { label: "Ver todas", url: link(context, feedPath(country, null)) },
        footnote: "Si no hay nada nuevo, no te escribimos. Eliges los temas en Novedades.",
        unsubscribe: link(context, `/baja/${linkToken(config.secret, "unsubscribe", reader.link_id)}`),
      }),
      onFailed: () => moveDigest(db, profile_id, to, from),
    };
  },
};
