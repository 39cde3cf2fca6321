/** Shows the texts of the account pages, and what their forms send from a browser without JavaScript. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { pushKeys } from "#server/integrations/web-push.ts";
import { CONSENT_VERSION } from "#shared/consents.ts";
import { formatDay, MINUTE } from "#shared/time.ts";
import { account, FIREFOX, setUpAccounts, signIn } from "./accounts.ts";
import type { TestUser } from "./app.ts";
import { type Browser, isSignedIn } from "./browser.ts";
import { linkIn } from "./mailbox.ts";
import { wordsOf } from "./markup.tsx";
import { consentingUser } from "./own-data.ts";
import { NEW, PASSWORD, registration, twice, uniqueEmail } from "./people.ts";
import { ask, consultationBody, publishAnswer, putVote } from "./threads.ts";

const { app, mailsTo, another, owner, signedIn, withFactor, openBrowser } = setUpAccounts();
const mainOf = (html: string) => /<main[\s\S]*<\/main>/.exec(html.replace(/<!--[\s\S]*?-->/g, ""))![0];
const main = async (path: string, as: TestUser | null) => mainOf((await app.page(path, as)).text);

/** Returns the path and the hidden fields of the form with this button, or undefined. */
function formOf(html: string, button: string): Record<string, string> | undefined {
  const form = html
    .match(/<form[\s\S]*?<\/form>/g)
    ?.find((one) => one.match(/<button[\s\S]*?<\/button>/g)?.some((pressed) => pressed.includes(button)));
  if (!form) return;
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  const hidden = form.match(/<input type="hidden"[^>]*>/g) ?? [];
  return {
    to: attribute(form, "action"),
    ...Object.fromEntries(hidden.map((input) => [attribute(input, "name"), attribute(input, "value")])),
  };
}

describe("/cuenta", () => {
  test("ends the session of each button's device", async () => {
    const { person, browser } = await signedIn();
    const shown = async () => mainOf((await browser.page("/cuenta")).text);
    expect(formOf(await shown(), "Cerrar sesión en los demás")).toBeUndefined();
    const browsers = [browser, await another(person), await another(person, FIREFOX)];
    const page = await shown();
    expect(page).toMatch(/Firefox en Android<\/b><span[^>]*>Este dispositivo/);
    expect(page.match(/Este dispositivo</g)).toHaveLength(1);
    expect(formOf(page, "Cerrar sesión aquí")).toEqual({ to: "/salir", scope: "this" });
    expect(formOf(page, "Cerrar sesión y olvidar este navegador")).toMatchObject({ scope: "this", forget: "device" });
    for (const [button, location, signedIn] of [
      ["Cerrar la sesión de Safari en iPhone", "/cuenta", [true, false, true]],
      ["Cerrar sesión en los demás", "/cuenta", [true, false, false]],
      ["Cerrar sesión en todos", "/", [false, false, false, false]],
    ] as const) {
      if (location === "/") browsers.push(await another(person));
      const { to, ...fields } = formOf(await shown(), button)!;
      expect((await browser.form(to!, fields)).headers.get("location")).toBe(location);
      expect(await Promise.all(browsers.map(isSignedIn))).toEqual(signedIn);
    }
  });

  test("keeps the email if the user cancels its change", async () => {
    const { person, browser } = await signedIn();
    const email = uniqueEmail();
    expect(formOf(mainOf((await browser.page("/cuenta")).text), "Seguir con el de ahora")).toBeUndefined();
    await browser.call("POST", "/account/email", { email });
    const page = mainOf((await browser.page("/cuenta")).text);
    expect(page).toContain(`Hemos enviado un mensaje a <b>${email}</b>`);
    expect(formOf(page, "Enviar otra vez")).toEqual({ to: "/cuenta", intent: "email_again" });
    const { to, ...fields } = formOf(page, "Seguir con el de ahora")!;
    const sent = await browser.form(to!, fields);
    expect([sent.headers.get("location"), browser.jar.get("notice")]).toEqual(["/cuenta", "email_kept"]);
    expect(await account(browser)).toMatchObject({ email: person.email, new_email: null });
  });

  test.each([
    ["email_again", "Ese cambio de correo ya no está pendiente"],
    ["email_cancel", "Ese cambio de correo ya no está pendiente"],
    ["end_session", "Sesión cerrada"],
  ])("says that another tab was first with the form %s: %s", async (intent, words) => {
    const { browser } = await signedIn();
    expect((await browser.form("/cuenta", { intent, session: randomUUID() })).headers.get("location")).toBe("/cuenta");
    expect(wordsOf((await browser.page("/cuenta")).text)).toContain(words);
  });

  test("opens the setting with the refused password, which it does not repeat, then stores another", async () => {
    const { person, browser } = await signedIn();
    const page = mainOf((await browser.page("/cuenta")).text);
    expect(page).not.toMatch(/<details[^>]*open/);
    expect(wordsOf(page)).toContain("Desactivada Activar : Verificación en dos pasos");
    const refused = await browser.form("/cuenta", { intent: "password", ...twice("contraseña123") });
    expect(mainOf(refused.text).match(/<details[^>]*open=""/g)).toEqual([
      '<details id="contrasena" class="setting" open=""',
    ]);
    expect(refused.text).not.toContain("contraseña123");
    const sent = await browser.form("/cuenta", { intent: "password", ...twice(NEW) });
    expect(sent.headers.get("location")).toBe("/cuenta");
    expect((await signIn(openBrowser(), person.email, NEW)).status).toBe(200);
  });

  test("lists the consents of the account's type with their history", async () => {
    const psychologist = await consentingUser(app, { type: "psychologist" });
    expect(await main("/cuenta", await consentingUser(app))).toContain("nada nuevo sobre tu salud");
    const own = await main("/cuenta", psychologist);
    expect(wordsOf(own)).toContain("publicamos tu perfil");
    expect(wordsOf(own)).not.toContain("datos sobre tu salud que escribas");
    const withdrawn = await app.form("/cuenta", { intent: "consent", kind: "professional_data" }, psychologist);
    expect(withdrawn.headers.get("set-cookie")).toContain("notice=consent_withdrawn;");
    const after = await main("/cuenta", psychologist);
    expect(wordsOf(after)).toMatch(/Aceptado el \d+ de \p{L}+ de \d+, versión del [^.]+\. Retirado el \d+ de/u);
    expect(formOf(after, `Darlo otra vez<span class="visually-hidden">: `)).toEqual({
      to: "/cuenta",
      intent: "consent",
      kind: "professional_data",
      given: "on",
    });
    await app.form("/cuenta", { intent: "consent", kind: "professional_data", given: "on" }, psychologist);
    expect(wordsOf(await main("/cuenta", psychologist)).match(/Retirar el permiso/g)).toHaveLength(2);
  });
});

test("names the same version in the privacy policy and in the consents", async () => {
  const version = formatDay(new Date(CONSENT_VERSION));
  expect(wordsOf(await main("/privacy", null))).toContain(`Versión 1, ${version}`);
});

test("shows a wrong password on /cuenta/segundo-paso in the setting where the user typed it", async () => {
  const { browser, at } = await withFactor();
  expect(wordsOf(mainOf((await browser.page("/cuenta")).text))).toContain("Ver : Verificación en dos pasos");
  expect((await browser.page("/cuenta/segundo-paso")).text).not.toContain("current_password");
  app.setNow(new Date(at.getTime() + 11 * MINUTE));
  for (const [intent, id] of [
    ["codes", "codes-password"],
    ["remove", "remove-password"],
  ] as const) {
    const refused = await browser.form("/cuenta/segundo-paso", { intent, current_password: "otra cosa larga" });
    const [open, ...more] = mainOf(refused.text).match(/<details[^>]*open=""[\s\S]*?<\/details>/g)!;
    expect(open).toContain("Esa no es tu contraseña.");
    expect([open!.includes(`id="${id}"`), more]).toEqual([true, []]);
  }
  const sent = await browser.form("/cuenta/segundo-paso", { intent: "remove", current_password: PASSWORD });
  expect([sent.headers.get("location"), browser.jar.get("notice")]).toEqual(["/cuenta", "second_factor_off"]);
});

describe("/salir", () => {
  test("receives the form that a user sends to register as a psychologist", async () => {
    const form = formOf(await main("/", await app.person()), "Cerrar Sesión y registrarme");
    expect(form).toEqual({ to: "/salir", after_sign_out: "register_psychologist" });
  });

  test.each([
    [{}, "/", "signed_out"],
    [{ after_sign_out: "register_psychologist" }, "/auth?modo=registro&tipo=psicologo", "signed_out"],
    [{ forget: "device" }, "/", "signed_out_forgotten"],
    [{ scope: "all" }, "/", "all_signed_out"],
  ])("deletes the email of a registration in this browser (%j)", async (fields, to, notice) => {
    const { browser } = await signedIn();
    browser.jar.set("check_mail", "email=ana%40correo.example&return_to=%2F");
    const sent = await browser.form("/salir", fields);
    expect([sent.headers.get("location"), browser.jar.get("notice")]).toEqual([to, notice]);
    expect(sent.headers.get("clear-site-data")).toBe('"cache", "storage"');
    expect([browser.jar.has("check_mail"), browser.jar.has("sid")]).toEqual([false, false]);
  });
});

describe("/cuenta/eliminar", () => {
  test("lists votes and payments only if the account can have them", async () => {
    const [user, psychologist] = [await consentingUser(app), await consentingUser(app, { type: "psychologist" })];
    await putVote(app, "consultations", await ask(app, user), psychologist);
    const listed = async (as: TestUser) => {
      const words = wordsOf(await main("/cuenta/eliminar", as));
      return ["Tus votos", "Los pagos hechos"].map((line) => words.includes(line));
    };
    expect([await listed(user), await listed(psychologist)]).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  test("deletes nothing without the confirmation, and keeps the choice about the texts", async () => {
    const { person, browser } = await signedIn();
    browser.jar.set("check_mail", `email=${encodeURIComponent(person.email)}`);
    // Without texts there is nothing to choose.
    const { to: _, ...fields } = formOf(mainOf((await browser.page("/cuenta/eliminar")).text), "Eliminar mi cuenta")!;
    expect(fields).toEqual({ anonymous_texts: "delete" });
    const { id } = (await browser.call("POST", "/consultations", consultationBody())).body;
    const page = mainOf((await browser.page("/cuenta/eliminar")).text);
    expect(page).toMatch(/<input type="radio"[^>]*checked=""[^>]*value="delete"/);
    expect(page).not.toContain("current_password");
    const refused = await browser.form("/cuenta/eliminar", { anonymous_texts: "keep" });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("Marca que lo entiendes para eliminar la cuenta.");
    expect(refused.text).toMatch(/<input type="radio"[^>]*checked=""[^>]*value="keep"/);
    app.setNow(new Date(Date.now() + 11 * MINUTE));
    expect((await browser.page("/cuenta/eliminar")).text).toContain("current_password");
    const late = await browser.form("/cuenta/eliminar", { anonymous_texts: "keep", understood: "on" });
    expect([late.status, (await browser.viewer()).id]).toEqual([403, person.id]);
    const understood = { anonymous_texts: "keep", understood: "on", current_password: PASSWORD };
    const sent = await browser.form("/cuenta/eliminar", understood);
    expect([sent.status, sent.headers.get("location")]).toEqual([302, "/"]);
    expect(sent.headers.get("clear-site-data")).toBe('"cache", "storage"');
    expect([browser.jar.has("sid"), browser.jar.has("check_mail")]).toEqual([false, false]);
    expect((await app.call("GET", `/consultations/${id}`)).status).toBe(200);
  });
});

test("says before each use of an email link what it changes", async () => {
  const { person, browser } = await signedIn();
  const email = uniqueEmail();
  await browser.call("POST", "/account/email", { email });
  const use = async (address: string) => {
    const link = linkIn((await mailsTo(address)).at(-1)!);
    const page = mainOf((await browser.page(link.pathname + link.search)).text);
    const { to: _, ...fields } = formOf(page, " este correo")!;
    const sent = await browser.form(link.pathname, fields);
    const used = [wordsOf(page), sent.headers.get("location"), browser.jar.get("notice")];
    expect((await browser.page(link.pathname + link.search)).status).toBe(410);
    return used;
  };
  expect(await use(email)).toEqual([
    expect.stringMatching(/Confirma tu correo nuevo Tu cuenta usará .* La dirección anterior recibirá un aviso\./),
    "/cuenta",
    "email_changed",
  ]);
  expect(await use(person.email)).toEqual([
    expect.stringMatching(/Volver al correo de antes Tu cuenta volverá a usar .* Cerraremos todas las sesiones/),
    "/auth",
    "email_restored",
  ]);
});

describe("/auth", () => {
  test("tells who was asking that the text waits, and a psychologist how registering goes on", async () => {
    const draft = "volver=/nueva-consulta?borrador=portada";
    const waiting = "Lo que escribiste te espera en esta pestaña.";
    const [asking, withText, professional] = await Promise.all(
      ["volver=/nueva-consulta", draft, `tipo=psicologo&${draft}`].map(async (query) =>
        wordsOf(await main(`/auth?modo=registro&${query}`, null)),
      ),
    );
    for (const text of [asking, withText]) expect(text).toContain("Nadie ve tu nombre si no quieres.");
    expect([asking!.includes(waiting), withText!.includes(waiting)]).toEqual([false, true]);
    expect(withText).toContain("Preguntas con tu nombre o de forma anónima");
    expect(professional).toContain("Tu correo no aparece en tu perfil.");
    expect(professional).toContain("Una persona del equipo revisa tu matrícula");
    expect(professional).not.toContain("Para publicar necesitas una cuenta");
  });

  test("asks for the code, then leads to the previous page but to no other site", async () => {
    const { person, codes } = await withFactor();
    const enter = async (browser: Browser, email: string, return_to: string) =>
      (await browser.form("/auth", { intent: "sign_in", email, password: PASSWORD, return_to })).headers.get(
        "location",
      );
    const evil = "//evil.example/";
    expect(await enter(openBrowser(), (await owner()).email, evil)).toBe("/");
    const [browser, stale] = [openBrowser(), openBrowser()];
    expect((await browser.page("/auth/codigo")).headers.get("location")).toBe("/auth");
    expect(await enter(browser, person.email, evil)).toBe("/auth/codigo");
    expect(await enter(browser, person.email, "/perfil")).toBe("/auth/codigo?volver=%2Fperfil");
    expect((await browser.page("/auth/codigo?volver=%2Fperfil")).text).toContain('autoComplete="one-time-code"');
    stale.jar.set("challenge", browser.jar.get("challenge")!);
    const wrong = await browser.form("/auth/codigo", { code: "000000", return_to: "/perfil" });
    expect([wrong.status, wrong.text.includes("Ese código no sirve")]).toEqual([422, true]);
    const right = await browser.form("/auth/codigo", { code: codes[0]!, return_to: evil });
    expect([right.headers.get("location"), await isSignedIn(browser)]).toEqual(["/", true]);
    // Without its challenge the page shows no field for the code.
    const late = mainOf((await stale.form("/auth/codigo?volver=/perfil", { code: codes[1]! })).text);
    expect(late).toContain('href="/auth?volver=/perfil"');
    expect(late).not.toContain('name="code"');
    expect((await browser.page("/auth/codigo?volver=/perfil")).headers.get("location")).toBe("/perfil");
  });

  test.each(["/auth/confirmar", "/auth/nueva-contrasena", "/auth/navegador", "/cuenta/correo"])(
    "sends no token in the URL of %s to another site or to a search engine",
    async (path) => {
      const { headers } = await app.page(`${path}?token=x`);
      expect([headers.get("referrer-policy"), headers.get("x-robots-tag")]).toEqual(["same-origin", "noindex"]);
    },
  );

  test("asks for another link on the page of a new password without a token", async () => {
    expect(wordsOf(await main("/auth/nueva-contrasena", null))).toContain("Pedir otro enlace");
    expect(wordsOf(await main("/auth/nueva-contrasena?token=x", null))).not.toContain("Pedir otro enlace");
  });

  test("sends the confirmation again from a refused sign-in, and later continues at the previous page", async () => {
    const [email, browser] = [uniqueEmail().replace("@", "+divan@"), openBrowser()];
    await browser.call("POST", "/registrations", registration(email));
    // Without the cookie the page asks for the email, and no registration is known.
    const unknown = mainOf((await browser.page("/auth/revisa-tu-correo")).text);
    expect(unknown).toContain('name="email"');
    expect(unknown).not.toContain("Registro exitoso");
    const refused = await browser.form("/auth?volver=/planes", { intent: "sign_in", email, password: PASSWORD });
    const { to, ...again } = formOf(mainOf(refused.text), "Enviar el correo otra vez")!;
    expect({ to, ...again }).toEqual({ to: "/auth/revisa-tu-correo", email, return_to: "/planes" });
    const sent = await browser.form(to!, again);
    const page = mainOf((await browser.page(sent.headers.get("location")!)).text);
    expect(page).toContain(`hemos enviado un mensaje a <b>${email}</b>`);
    expect(page).toContain("Solicitud recibida");
    expect(page).not.toContain("Registro exitoso");
    expect(page).not.toContain('name="email"');
    await signIn(browser, (await owner()).email);
    expect((await browser.page("/auth/revisa-tu-correo")).headers.get("location")).toBe("/planes");
    expect(browser.jar.has("check_mail")).toBe(false);
  });
});

describe("/perfil", () => {
  test("marks the missing photo after saving, and opens the name with its error", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    expect(await main("/perfil", psychologist)).toMatch(/obligatoria(?![\s\S]*photo-drop is-bad)/);
    const refused = await app.form("/perfil", { full_name: "Ana Ruiz", license_number: "MP 1234" }, psychologist);
    expect(refused.text).toMatch(/class="row photo-drop is-bad"/);
    const user = await app.person();
    const own = await main("/perfil", user);
    expect(own).not.toMatch(/<details[^>]*open|Volver a las más recientes/);
    const short = await app.form("/perfil", { full_name: "A" }, user);
    expect(short.text).toMatch(/<details[^>]*open=""[\s\S]*id="perfil-full_name"[^>]*value="A"/);
  });

  test("lists the errors of the form in the order of its fields", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    const bad = { full_name: "A", license_number: "MP 1234", website: "x", phone: "1", whatsapp: "1" };
    const { text } = await app.form("/perfil", bad, psychologist);
    const linked = Array.from(text.matchAll(/href="#(perfil-\w+)"/g), ([, id]) => id);
    const invalid = Array.from(
      text.matchAll(/<(?:input|textarea)[^>]*aria-invalid[^>]*>/g),
      ([tag]) => /id="([^"]*)"/.exec(tag)?.[1],
    );
    expect(linked).toEqual(["perfil-full_name", "perfil-website", "perfil-phone", "perfil-whatsapp"]);
    expect(invalid).toEqual(linked);
  });

  test("warns a verified psychologist of a new verification", async () => {
    const psychologist = await app.person({ type: "psychologist" });
    const warning = "volveremos a verificar tu cuenta";
    expect(await main("/perfil", psychologist)).toContain(warning);
    expect(await main("/perfil", await app.person({ type: "psychologist", verified: false }))).not.toContain(warning);
  });
});

describe("/notificaciones", () => {
  test("turns the lamp off, separates new from old, and leads to each answer", async () => {
    const author = await app.person();
    const id = await ask(app, author);
    const lamp = async (path: string) => /class="lamp[^"]*"/.exec((await app.page(path, author)).text)![0];
    const answer = await publishAnswer(app, id, await app.person({ type: "psychologist" }));
    expect(await lamp("/terms")).toBe('class="lamp lamp--lit"');
    const { text } = await app.page("/notificaciones", author);
    expect(text).toMatch(/class="lamp"/);
    expect(wordsOf(mainOf(text))).toMatch(/Nuevas .* Nuevo: .* ha respondido tu consulta/);
    expect(text).toContain(`href="/consulta/${id}?respuesta=${answer}#respuesta-${answer}"`);
    const seen = wordsOf(await main("/notificaciones", author));
    for (const words of ["Nuevas", "Nuevo:", "Antes"]) expect(seen).not.toContain(words);
    await publishAnswer(app, id, await app.person({ type: "psychologist" }));
    expect(wordsOf(await main("/notificaciones", author))).toMatch(/Nuevas .* Nuevo: .* Antes /);
  });

  test("offers each type of account the mails and pushes it can get", async () => {
    const boxes = async (person: TestUser) => {
      await app.sql(
        `insert into push_subscriptions (session_id, endpoint, p256dh, auth, public_key, created_at)
         select id, 'https://push.example/' || id, 'x', 'x', $2, now() from sessions where account_id = $1`,
        [person.id, pushKeys(app.context.config.secret).publicKey],
      );
      const html = await main("/notificaciones", person);
      const shown = Array.from(html.matchAll(/name="shown" value="(\w+)"/g), ([, name]) => name);
      return [shown, html.includes("Temas del resumen: todos"), html.includes("Cuando comentan tus respuestas")];
    };
    expect(await boxes(await app.person())).toEqual([["answers", "push_answers", "push_replies"], false, false]);
    expect(await boxes(await app.person({ type: "psychologist" }))).toEqual([["digest", "push_replies"], true, true]);
  });
});
