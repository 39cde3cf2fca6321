import { type FormEvent, lazy, Suspense, useRef } from "react";
import { Link, useMatches, useSearchParams } from "react-router";
import { useAuth } from "#app/lib/auth-context.tsx";
import { useHelpPath } from "#app/lib/help-path.ts";
import { useDelayedNavigation } from "#app/lib/slow-navigation.ts";
import { THEME_COOKIE, THEME_COOKIE_SECONDS, type Theme } from "#app/lib/theme.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { FilterSelect } from "#app/ui/filter-select.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Menu, MenuLink, SheetMenu } from "#app/ui/menu.tsx";
import { QuickExit } from "#app/ui/quick-exit.tsx";
import { COUNTRIES } from "#shared/countries.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { useQuickExit } from "./use-quick-exit.ts";

// Visitors do not load it. If it fails to load, the page works without it.
const LoadedAccountLinks = lazy(() => import("./account-links.tsx").catch(() => ({ default: () => null })));

/** Links of the signed-in user. Without the boundary the whole page would wait for their code. */
const AccountLinks = () => (
  <Suspense>
    <LoadedAccountLinks />
  </Suspense>
);

export type HeaderHandle = { header?: { countryFilter?: boolean; register?: boolean; lampOff?: boolean } };

/** Header of every page (specification, section 2). */
export function Header() {
  const { viewer } = useAuth();
  const handle = useMatches()
    .map((match) => (match.handle as HeaderHandle | undefined)?.header)
    .findLast(Boolean);
  const quickExit = useQuickExit() && <QuickExit />;
  const help = useHelpPath();
  const next = useDelayedNavigation();
  const countryFilter = next ? next.pathname === "/" : handle?.countryFilter;
  return (
    <header className="site-header">
      <div className="site-header__inner page">
        <div className="row site-header__bar page">
          <Link className="tap-link brand" to="/">
            <Logo />
            <span>{PRODUCT_NAME}</span>
          </Link>
          {viewer && <Lamp count={handle?.lampOff ? 0 : viewer.new_notifications} />}
          {/* Plain HTML: visitors of "/" load no script for it. Phones show only the button. */}
          <form action="/buscar" role="search">
            <input name="q" aria-label="Buscar consultas" placeholder="Buscar" autoComplete="off" />
            <button type="submit">Buscar</button>
          </form>
          <nav className="nav" aria-label="Principal">
            <Link className="pill" to={viewer ? "/" : "/home"}>
              Inicio
            </Link>
          </nav>
          <ThemeSwitch />
          {viewer ? (
            <Menu
              label={`Menú de ${viewer.full_name}`}
              trigger={
                <>
                  <Avatar name={viewer.full_name} src={viewer.avatar_url} size="s" />
                  <span className="visually-hidden">Menú de</span>
                  <span>{viewer.full_name}</span>
                </>
              }
            >
              <AccountLinks />
            </Menu>
          ) : (
            <>
              <ButtonLink to="/auth" small variant={handle?.register ? "quiet" : "primary"} className="only-wide">
                Iniciar Sesión
              </ButtonLink>
              {handle?.register && (
                <ButtonLink to="/auth?modo=registro" small className="only-wide">
                  Registrarse
                </ButtonLink>
              )}
            </>
          )}
          <SheetMenu beside={quickExit}>
            {/* Needed because the sheet covers the header's link. */}
            <MenuLink to={help} icon={<Icon name="help" />}>
              Necesito ayuda ahora
            </MenuLink>
            <MenuLink to={viewer ? "/" : "/home"} icon={<Icon name="home" />}>
              Inicio
            </MenuLink>
            {viewer ? (
              <AccountLinks />
            ) : (
              <>
                <MenuLink to="/auth" icon={<Icon name="user" />}>
                  Iniciar Sesión
                </MenuLink>
                <MenuLink to="/auth?modo=registro" icon={<Icon name="user" />}>
                  Registrarse
                </MenuLink>
              </>
            )}
          </SheetMenu>
        </div>
        <div className="site-header__help">
          <div className={countryFilter ? "site-header__row page" : "site-header__row site-header__row--alone page"}>
            {countryFilter && <CountryFilter />}
            <Link className="help-link" to={help}>
              <Icon name="help" size="s" />
              Necesito ayuda ahora
            </Link>
            {quickExit}
          </div>
        </div>
      </div>
    </header>
  );
}

const Lamp = ({ count }: { count: number }) => (
  <Link className={count ? "lamp lamp--lit" : "lamp"} to="/notificaciones">
    <svg className="icon" viewBox="0 0 26 42" aria-hidden="true">
      <path d="M13 17v21M8 39.5h10" />
      <path d="M8 3.5h10l5.5 13h-21z" />
    </svg>
    <span className="visually-hidden">Novedades </span>
    {count > 0 && <b>{count}</b>}
  </Link>
);

const THEMES = [
  ["dark", "oscuro", "sun"],
  ["light", "claro", "moon"],
] as const;

/** The style sheet shows only the button for the other theme. Without JavaScript the form's action sets the cookie. */
function ThemeSwitch() {
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

function CountryFilter() {
  const [parameters] = useSearchParams();
  return (
    <FilterSelect
      label="País"
      name="pais"
      value={parameters.get("pais") ?? ""}
      action="/#consultas"
      keep={Object.fromEntries(["vista", "categoria", "orden"].map((name) => [name, parameters.get(name)]))}
      icon={<Icon name="pin" size="s" />}
      button="Ver"
      none="Todos"
      options={COUNTRIES}
    />
  );
}

const Logo = () => (
  <svg
    viewBox="0 0 48 42"
    fill="none"
    stroke="currentColor"
    strokeWidth="2.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d="M11 20.5V13a8.5 8.5 0 0 1 8.5-8.5h9A8.5 8.5 0 0 1 37 13v7.5" />
    <path d="M13.5 27.5v-2.6a4.6 4.6 0 0 0-9.2 0V33a3 3 0 0 0 3 3H8v4.5l6-4.5h26.7a3 3 0 0 0 3-3v-8.1a4.6 4.6 0 0 0-9.2 0v2.6z" />
    <path d="M38.5 36v3.6" />
    <path d="M18.5 17h.01M24 17h.01M29.5 17h.01" strokeWidth="3.6" />
  </svg>
);
