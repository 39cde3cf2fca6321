/** A site with one consultation of each kind, and what crawlers read in a page. */

import type { TestApp } from "./app.ts";
import { setUpOnce } from "./suite-setup.ts";
import { ask, publishAnswer } from "./threads.ts";

export const setUpIndexedSite = (app: TestApp) =>
  setUpOnce(async () => {
    const psychologist = await app.person({
      type: "psychologist",
      name: "Paula Canaria",
      gold: "active",
      country: "Chile",
    });
    const pending = await app.person({ type: "psychologist", name: "Pablo Pendiente", verified: false });
    const author = await app.person({ name: "Autora Secreta" });
    const text = {
      country: "Chile",
      category: "Duelo",
      content: "Un texto <b>con</b> & sin más de veinte\ncaracteres.",
    };
    const answered = await ask(app, author, { ...text, title: "¿</script><script>alert(1)</script>?" });
    await publishAnswer(app, answered, psychologist, "Una respuesta & </script>");
    const unanswered = await ask(app, await app.person(), { ...text, title: "Nadie respondió todavía" });
    const shown = { ...text, is_anonymous: false, author_name: "Nombre Elegido" };
    const named = await ask(app, await app.person(), shown);
    await publishAnswer(app, named, psychologist);
    return { psychologist, pending, author, answered, unanswered, named };
  });

export const head = (html: string) => html.slice(0, html.indexOf("</head>"));
export const contentOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(head(html))?.[1];
export const canonicalOf = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(head(html))?.[1];
export const isListed = (html: string) => contentOf(html, "robots") === undefined;
