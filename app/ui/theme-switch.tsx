import { type FormEvent, useRef } from "react";
import { THEME_COOKIE, THEME_COOKIE_SECONDS, type Theme } from "#app/lib/theme.ts";
import { Icon } from "./icon.tsx";

const THEMES = [
  ["dark", "oscuro", "sun"],
  ["light", "claro", "moon"],
] as const;

/** The style sheet shows only the button for the other theme. Without JavaScript the form's action sets the cookie. */
export function ThemeSwitch() {
  const form = useRef<HTMLFormElement>(null);

  const change = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const button = (event.nativeEvent as SubmitEvent).submitter;
    const theme: Theme = button instanceof HTMLButtonElement && button.value === "dark" ? "dark" : "light";
    const secure = location.protocol === "https:" ? "; Secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: not all supported browsers have the Cookie Store API
    document.cookie = `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${THEME_COOKIE_SECONDS}; SameSite=Lax${secure}`;
    document.documentElement.dataset.theme = theme;
    // The browser's frame has the colour of the page.
    const { backgroundColor } = getComputedStyle(document.body);
    for (const frame of document.querySelectorAll("meta[name=theme-color]"))
      frame.setAttribute("content", backgroundColor);
    // The pressed button is now hidden, so the other one receives the focus.
    form.current?.querySelector<HTMLButtonElement>(`button:not([value="${theme}"])`)?.focus();
  };

  return (
    <form ref={form} method="post" action="/tema" onSubmit={change}>
      {THEMES.map(([theme, word, icon]) => (
        <button
          key={theme}
          type="submit"
          name="theme"
          value={theme}
          className={`icon-button theme__${theme}`}
          aria-label={`Cambiar al tema ${word}`}
        >
          <Icon name={icon} />
        </button>
      ))}
    </form>
  );
}
