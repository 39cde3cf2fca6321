import { expect, expectToast, test } from "./community.ts";
import { goTo, openMenu, PHONE, sessionCookie, signOut } from "./fixtures.ts";

/** Runs in the page before its scripts. Removes what Chrome 90 or Safari 14 lack and pages once called. */
function becomeOld(): void {
  const missing: [object, string[]][] = [
    [Array.prototype, ["at", "findLast", "toReversed"]],
    [Element.prototype, ["checkVisibility"]],
    [HTMLElement.prototype, ["popover", "showPopover", "hidePopover", "togglePopover"]],
    [HTMLButtonElement.prototype, ["popoverTargetElement", "command", "commandForElement"]],
    [Map, ["groupBy"]],
    [SubmitEvent.prototype, ["submitter"]],
    [URL, ["parse", "canParse"]],
    [URLSearchParams.prototype, ["size"]],
    [window, ["BroadcastChannel"]],
  ];
  for (const [owner, names] of missing) for (const name of names) delete (owner as Record<string, unknown>)[name];
  const { supports } = CSS;
  CSS.supports = (text: string) => !text.includes(":focus-visible") && supports.call(CSS, text);
  for (const [owner, names] of [
    [Document.prototype, ["querySelector", "querySelectorAll"]],
    [Element.prototype, ["querySelector", "querySelectorAll", "matches", "closest"]],
  ] as const)
    for (const name of names) {
      const methods = owner as unknown as Record<string, (selector: string) => unknown>;
      const before = methods[name]!;
      methods[name] = function (this: unknown, selector: string) {
        if (/:modal|:focus-visible|:popover-open/.test(selector)) throw new SyntaxError(selector);
        return before.call(this, selector);
      };
    }
}

test("an author can use the pages with the functions of Chrome 90 and Safari 14", async ({ visit, community }) => {
  const page = await visit("visitor", "about:blank");
  await page.addInitScript(becomeOld);
  await goTo(page, "/auth?volver=/perfil");
  await page
    .getByRole("navigation", { name: "Entrar o registrarse" })
    .getByRole("link", { name: "Registrarse" })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Toma asiento" })).toBeVisible();
  await expect(page).toHaveURL("/auth?modo=registro&volver=%2Fperfil");

  await page.context().addCookies([sessionCookie(await community.person(), community.url)]);
  for (const path of [`/psicologo/${community.people.gold.id}`, "/cuenta"]) {
    await goTo(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await goTo(page, `/consulta/${community.threadFixture.id}`);
  const up = page.getByRole("button", { name: /votos? a favor de la consulta/ });
  const sent = page.waitForResponse(/\/voto\.data/);
  await up.click();
  expect((await sent).status()).toBe(200);
  await expect(up).toHaveAttribute("aria-pressed", "true");

  await goTo(page, "/");
  const entry = page.getByRole("banner").getByRole("link", { name: "Mi Perfil" });
  await expect(entry).toBeHidden();
  await openMenu(page);
  await entry.click();
  await expect(page).toHaveURL("/perfil");
  await expect(entry).toBeHidden();

  await page.setViewportSize(PHONE);
  await goTo(page, "/");
  await page.getByRole("link", { name: "Nueva Consulta" }).click();
  const dialog = page.getByRole("dialog", { name: "Nueva Consulta" });
  await dialog.getByLabel("Título").fill("Desde un teléfono que ya no se actualiza");
  await dialog.getByLabel("Descripción detallada").fill("Pero que todavía sirve para contar lo que me pasa.");
  await dialog.getByRole("combobox", { name: "País" }).selectOption("Chile");
  await dialog.getByRole("button", { name: "Publicar consulta" }).click();
  await expectToast(page, "¡Consulta creada!");
  await expect(page.getByRole("heading", { level: 1, name: /^Desde un teléfono/ })).toBeVisible();
  await signOut(page);
  await expectToast(page, "Has cerrado sesión");
});
