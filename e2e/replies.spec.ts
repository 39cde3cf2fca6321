import type { Locator, Page } from "@playwright/test";
import { type Community, expect, expectToast, test } from "./community.ts";
import { holdRequests, PHONE_DEVICE, waitForHydration } from "./fixtures.ts";
import { expectNoSidewaysScroll } from "./screen-checks.ts";

test.use(PHONE_DEVICE);

const answers = (page: Page) => page.getByRole("article", { name: /^Respuesta de/ });
const replies = (within: Locator | Page) => within.locator(".reply");
const moreReplies = (within: Locator | Page) => within.getByRole("link", { name: /^Ver más comentarios/ });
const moreAnswers = (page: Page) => page.getByRole("link", { name: "Ver más respuestas" });

/** Creates a consultation with 25 answers. The newest answer has 45 replies of another user. */
async function discussed({ ask, person, sql, people }: Community) {
  const author = await person();
  const id = await ask(author, { title: "Algo de lo que se habla mucho" });
  await sql(
    `insert into consultation_responses (consultation_id, psychologist_id, content, created_at)
     select $1, $2, 'Respuesta número ' || n, now() - make_interval(hours => 30 - n) from generate_series(1, 25) n`,
    [id, people.verified.id],
  );
  await sql("update consultations set response_count = 25 where id = $1", [id]);
  const [answer] = await sql<{ id: string }>(
    `update consultation_responses set reply_count = 45 where consultation_id = $1 and content = 'Respuesta número 25' returning id`,
    [id],
  );
  const rows = await sql<{ id: string }>(
    `insert into consultation_replies (response_id, user_id, content, created_at)
     select $1, $2, 'Comentario número ' || n, now() - make_interval(mins => 60 - n) from generate_series(1, 45) n returning id`,
    [answer!.id, author.id],
  );
  return { id, author, answer: answer!.id, replies: rows.map((row) => row.id) };
}

test("adds more replies in place with the focus on the first", async ({ community, visit }) => {
  const { id } = await discussed(community);
  const page = await visit("user", `/consulta/${id}`);
  const answer = answers(page).first();
  await expect(replies(answer)).toHaveCount(20);
  await expect(answer).toContainText("20 de 45");
  await answer.getByText("Comentar", { exact: true }).click();
  const field = answer.getByRole("textbox", { name: "Tu comentario" });
  await field.fill("A medio escribir");
  await moreReplies(answer).scrollIntoViewIfNeeded();
  const before = await replies(answer).nth(19).boundingBox();
  await page.route(/\/api\/answers\//, (route) => route.abort(), { times: 1 });
  await moreReplies(answer).press("Enter");
  await expect(answer.getByRole("alert")).toHaveText("No se pudieron cargar más comentarios.");
  const again = answer.getByRole("link", { name: "Reintentar" });
  await expect(again).toBeFocused();
  await again.press("Enter");
  await expect(replies(answer)).toHaveCount(40);
  await expect(replies(answer).nth(20)).toBeFocused();
  expect((await replies(answer).nth(19).boundingBox())!.y).toBeCloseTo(before!.y, 0);
  await expect(field).toHaveValue("A medio escribir");
  await expect(answer).toContainText("40 de 45");
  await expectNoSidewaysScroll(page);
  await moreReplies(answer).click();
  await expect(replies(answer)).toHaveCount(45);
  await expect(moreReplies(answer)).toHaveCount(0);
  await expect(replies(answer).last()).toContainText("Comentario número 45");

  // The user's new reply is the last one and is counted.
  await field.fill("Ya lo terminé de escribir");
  await answer.getByRole("button", { name: "Enviar" }).click();
  await expectToast(page, "¡Respuesta enviada!");
  await expect(replies(answer)).toHaveCount(46);
  await expect(replies(answer).last()).toContainText("Ya lo terminé de escribir");
  // The reply that the last press added gets the focus only once.
  await expect(replies(answer).nth(40)).not.toBeFocused();
});

test("shows a new reply immediately even if the pages before it are not open", async ({ community, visit }) => {
  const { id } = await discussed(community);
  const page = await visit("user", `/consulta/${id}`);
  const answer = answers(page).first();
  await answer.getByText("Comentar", { exact: true }).click();
  await expect(answer.getByRole("textbox", { name: "Tu comentario" })).toBeFocused();
  await expect(answer.getByRole("button", { name: "Enviar" })).toBeInViewport({ ratio: 1 });
  await answer.getByRole("textbox", { name: "Tu comentario" }).fill("Me pasa lo mismo");
  await answer.getByRole("button", { name: "Enviar" }).click();
  await expect(answer.getByRole("textbox", { name: "Tu comentario" })).toBeHidden();
  await expect(replies(answer)).toHaveCount(21);
  await expect(replies(answer).last()).toContainText("Me pasa lo mismo");
  await expect(answer).toContainText("20 de 46");
  await expect(answer).toContainText("Lo último que has escrito aquí:");
  await page.reload();
  await expect(replies(answer).last()).toContainText("Me pasa lo mismo");
  // When its page is open, the reply appears only once.
  await waitForHydration(page);
  await moreReplies(answer).click();
  await expect(replies(answer)).toHaveCount(41);
  await moreReplies(answer).click();
  await expect(replies(answer)).toHaveCount(46);
});

test("shows the new text of a reply that was loaded later after its author edits it", async ({ community, visit }) => {
  const { id, author } = await discussed(community);
  const page = await visit(author, `/consulta/${id}`);
  const answer = answers(page).first();
  await moreReplies(answer).click();
  const later = replies(answer).nth(30);
  await expect(later).toContainText("Comentario número 31");
  await later.getByRole("link", { name: /^Editar / }).click();
  await later.getByRole("textbox", { name: "Tu comentario" }).fill("Ahora lo digo mejor");
  await later.getByRole("button", { name: "Guardar cambios" }).click();
  await expectToast(page, "Cambios guardados");
  await expect(later).toContainText("Ahora lo digo mejor");
});

test("adds more answers in place, and shows votes and replies on them", async ({ community, visit }) => {
  const { id } = await discussed(community);
  const page = await visit("user", `/consulta/${id}`);
  await expect(answers(page)).toHaveCount(10);
  await expect(page.getByText("10 de 25")).toBeVisible();
  await moreAnswers(page).press("Enter");
  await expect(answers(page)).toHaveCount(20);
  await expect(answers(page).nth(10)).toBeFocused();
  const later = answers(page).nth(14);
  await later.getByRole("button", { name: /votos? a favor/ }).click();
  await expect(later.getByRole("button", { name: /^1 voto a favor/ })).toHaveAttribute("aria-pressed", "true");
  await later.getByText("Comentar", { exact: true }).click();
  await later.getByRole("textbox", { name: "Tu comentario" }).fill("Esto lo digo más abajo");
  await later.getByRole("button", { name: "Enviar" }).click();
  await expect(replies(later)).toContainText("Esto lo digo más abajo");
  await expect(later.getByRole("button", { name: /^1 voto a favor/ })).toHaveAttribute("aria-pressed", "true");
  await expect(answers(page)).toHaveCount(20);

  // A vote during the request of the next page stays.
  const other = answers(page)
    .nth(15)
    .getByRole("button", { name: /votos? a favor/ });
  const letGo = await holdRequests(page, /\/api\/consultations\//);
  const asked = () => page.waitForRequest(/\/api\/consultations\//);
  await Promise.all([asked(), moreAnswers(page).click()]);
  // The page also loads its answers again after the vote.
  await Promise.all([asked(), other.click()]);
  letGo();
  await expect(answers(page)).toHaveCount(25);
  await expect(other).toHaveAttribute("aria-pressed", "true");

  // A vote and thanks stay whose responses arrive after the user has left the page.
  const last = answers(page).nth(17);
  const arrive = await holdRequests(page, /\/(voto|gracias)\.data/);
  await last.getByRole("button", { name: /votos? a favor/ }).click();
  await last.getByRole("button", { name: "Esto me ayudó" }).click();
  await page.getByRole("link", { name: "Volver a las consultas" }).click();
  await expect(answers(page)).toHaveCount(0);
  const responses = ["voto", "gracias"].map((name) => page.waitForResponse(new RegExp(`${name}\\.data`)));
  arrive();
  await Promise.all(responses);
  await page.goBack();
  for (const name of [/^1 voto a favor/, "Esto me ayudó"])
    await expect(last.getByRole("button", { name })).toHaveAttribute("aria-pressed", "true");
});

test("opens the page of a reply or an answer that the URL names", async ({ community, visit }) => {
  const { id, answer, replies: all } = await discussed(community);
  const page = await visit("visitor", `/consulta/${id}#comentario-${all[41]}`);
  await expect(page).toHaveURL(new RegExp(`comentario=${all[41]}`));
  await expect(replies(page).first()).toContainText("Comentario número 42");
  await page.getByRole("link", { name: "Ver los comentarios desde el principio" }).click();
  await expect(replies(answers(page).first()).first()).toContainText("Comentario número 1");
  await expect(page).toHaveURL(new RegExp(`respuesta=${answer}`));
});
