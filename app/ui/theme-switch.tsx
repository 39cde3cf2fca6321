import { type FormEvent, useRef } from "react";
import { THEME_COOKIE, THEME_COOKIE_SECONDS, type Theme } from "#app/lib/theme.ts";
import { MoonIcon, SunIcon } from "./icon.tsx";

/**
 * Changes between light and dark. The icon shows the theme in force, chosen or the system's; the style sheet shows the one of
 * the two buttons that changes it. The choice is kept in a cookie, which the server reads into <html data-theme>; without
 * JavaScript the form's action sets it.
 */
export function ThemeSwitch() {
  const form = useRef<HTMLFormElement>(null);

  const change = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const button = (event.nativeEvent as SubmitEvent).submitter;
    const theme: Theme = button instanceof HTMLButtonElement && button.value === "dark" ? "dark" : "light";
    const secure = location.protocol === "https:" ? "; Secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser that people use here
    document.cookie = `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${THEME_COOKIE_SECONDS}; SameSite=Lax${secure}`;
    document.documentElement.dataset.theme = theme;
    // The pressed button has just left the page; its counterpart takes the focus.
    form.current?.querySelector<HTMLButtonElement>(`button:not([value="${theme}"])`)?.focus();
  };

  return (
    <form ref={form} method="post" action="/tema" onSubmit={change}>
      <button
        type="submit"
        name="theme"
        value="dark"
        className="icon-button theme__dark"
        aria-label="Cambiar al tema oscuro"
      >
        <SunIcon />
      </button>
      <button
        type="submit"
        name="theme"
        value="light"
        className="icon-button theme__light"
        aria-label="Cambiar al tema claro"
      >
        <MoonIcon />
      </button>
    </form>
  );
}
