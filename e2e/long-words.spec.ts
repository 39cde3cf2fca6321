import { type Community, test } from "./community.ts";
import { expectFits } from "./screen-checks.ts";

const W = (letters: number) => "W".repeat(letters);
/** A word that is longer than German words and URLs (about 80 letters). */
const WORD = W(140);

/** Creates accounts and texts whose fields each contain one unbroken word. */
async function wordyCommunity({ sql, person, call, answer }: Community) {
  const author = await person({ name: W(80), email: `${W(64).toLowerCase()}@${W(60).toLowerCase()}.example.com` });
  const psychologist = await person({ type: "psychologist", gold: "active", name: W(80), country: "Uruguay" });
  const pending = await person({ type: "psychologist", verified: false, name: W(80), country: "Venezuela" });
  await sql(
    `update psychologist_profiles set license_number = $2, bio = $1, phone = $3, whatsapp = $3, website = $4
     where id = any($5)`,
    [
      WORD,
      W(30),
      "+598 99 123 456",
      `https://${W(60).toLowerCase()}.example.com/${W(80)}`,
      [psychologist.id, pending.id],
    ],
  );
  const id: string = (
    await sql<{ id: string }>(
      `insert into consultations (title, content, country, category, is_anonymous, author_name, user_id)
       values ($1, $1, 'Uruguay', 'Trabajo/Estudio', false, $2, $3) returning id`,
      [WORD, W(80), author.id],
    )
  )[0]!.id;
  const answered = await answer(id, WORD, psychologist);
  await call(author, "POST", `/answers/${answered}/replies`, { content: WORD });
  await call(author, "PUT", `/psychologists/${psychologist.id}/review`, { rating: 5, comment: WORD, show_name: true });
  await sql(
    `insert into contact_messages (name, email, message, from_gold, created_at) values ($1, $2, $3, true, now())`,
    [W(80), author.email, WORD],
  );
  return { author, psychologist, id, answer: answered };
}

test("shows every page without overflow when all texts of users are unbroken words", async ({ visit, community }) => {
  test.slow();
  const { author, psychologist, id, answer } = await wordyCommunity(community);
  const [reply] = await community.sql<{ id: string }>("select id from consultation_replies where response_id = $1", [
    answer,
  ]);
  const seen = [
    [null, ["/", "/?vista=ranking", `/consulta/${id}`, `/psicologo/${psychologist.id}`]],
    [
      author,
      [
        "/",
        "/perfil",
        "/cuenta",
        "/nueva-consulta",
        `/consulta/${id}`,
        `/consulta/${id}/editar`,
        "/contacto",
        `/comentario/${reply!.id}/eliminar`,
        `/psicologo/${psychologist.id}`,
        "/cuenta/eliminar",
      ],
    ],
    [
      psychologist,
      [
        "/",
        "/perfil",
        "/planes",
        `/consulta/${id}`,
        `/consulta/${id}/respuesta`,
        `/respuesta/${answer}/eliminar`,
        `/psicologo/${psychologist.id}`,
      ],
    ],
    [
      community.people.admin,
      ["/admin", "/admin/consultas", "/admin/psicologos", "/admin/mensajes", "/admin/membresias", `/consulta/${id}`],
    ],
  ] as const;
  for (const [who, addresses] of seen) {
    const page = await visit(who ?? "visitor", "about:blank");
    for (const address of addresses) {
      await page.goto(address);
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        await expectFits(page);
      }
    }
    await page.context().close();
  }
});
