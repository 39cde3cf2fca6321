import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, letter, link } from "../mail/composing.ts";
import { linkToken } from "../tokens.ts";
import { claimDigest, newUnanswered, releaseDigest } from "./store.ts";

const counted = (n: number) => (n === 1 ? "1 consulta nueva" : `${n} consultas nuevas`);

export const digestMails: Composers<"digest"> = {
  /** Has only numbers and a link: a text in a mailbox could not be deleted by its author. */
  async digest(context, { profile_id, since, until }) {
    const { db, publicDb, config } = context;
    const [from, to] = [new Date(since), new Date(until)];
    // Claimed before it is sent: a job that was killed sends nothing again. A failed count rolls the claim back.
    const { reader, groups } = await db.transaction().execute(async (tx) => {
      const reader = await claimDigest(tx, profile_id, from, to);
      return { reader, groups: reader ? await newUnanswered(publicDb, reader, from, to) : [] };
    });
    if (!reader || !groups.length) return null;
    const n = groups.reduce((sum, group) => sum + group.n, 0);
    const { country } = reader;
    const feed = new URLSearchParams({ ...(country && { pais: country }), orden: "pendientes" });
    return {
      ...letter(context, reader.email, {
        subject: `Tu resumen del día en ${PRODUCT_NAME}`,
        paragraphs: [
          `Desde tu último resumen hay ${counted(n)} sin responder${country ? ` en ${country}` : ""}.`,
          groups.map(({ category, n }) => `${category ?? "Sin categoría"}: ${n}`).join(" · "),
        ],
        action: ["Ver las consultas", `/?${feed}#consultas`],
        footnote: "Si no hay nada nuevo, no te escribimos. Eliges los temas en Novedades.",
        unsubscribe: link(context, `/baja/${linkToken(config.secret, "unsubscribe", reader.link_id)}`),
      }),
      onFailed: () => releaseDigest(db, profile_id, from, to),
    };
  },
};
