import { lazy } from "react";
import { Link, useMatches, useSearchParams } from "react-router";
import { useAuth } from "#app/accounts/sign-in/auth-context.tsx";
import { useHelpPath } from "#app/lib/help-path.ts";
import { useDelayedNavigation } from "#app/lib/slow-navigation.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { FilterSelect } from "#app/ui/filter-select.tsx";
import { HelpIcon, HomeIcon, PinIcon, UserIcon } from "#app/ui/icon.tsx";
import { Logo } from "#app/ui/logo.tsx";
import { Menu, MenuLink, SheetMenu } from "#app/ui/menu.tsx";
import { QuickExit } from "#app/ui/quick-exit.tsx";
import { ThemeSwitch } from "#app/ui/theme-switch.tsx";
import { COUNTRIES } from "#shared/countries.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { useQuickExit } from "./quick-exit-page.ts";

// Visitors do not load it. If it fails to load, the page works without it.
const AccountLinks = lazy(() => import("./account-links.tsx").catch(() => ({ default: () => null })));

/** Header options in a route's `handle`. */
export type HeaderHandle = { header?: { countryFilter?: boolean; register?: boolean; lampOff?: boolean } };

/** Header of every page (specification, section 2). */
export function Header() {
  const { viewer } = useAuth();
  const handle = useMatches().reduce<HeaderHandle["header"]>(
    (found, match) => (match.handle as HeaderHandle | undefined)?.header ?? found,
    undefined,
  );
  const quickExit = useQuickExit() && <QuickExit />;
  const help = useHelpPath();
  const next = useDelayedNavigation();
  const countryFilter = next ? next.pathname === "/" : handle?.countryFilter;
  return (
    <header className="site-header">
      <div className="site-header__inner">
        <div className="site-header__bar page">
          <Link className="brand" to="/">
            <Logo />
            <span>{PRODUCT_NAME}</span>
          </Link>
          {viewer && <Lamp count={handle?.lampOff ? 0 : viewer.new_notifications} />}
          {/* Plain HTML: visitors of "/" load no script for it. Phones show only the button. */}
          <form action="/buscar" role="search">
            <input name="q" placeholder="Buscar" />
            <button type="submit">Buscar</button>
          </form>
          <nav className="nav" aria-label="Principal">
            <Link to={viewer ? "/" : "/home"}>Inicio</Link>
          </nav>
          <ThemeSwitch />
          {viewer ? (
            <Menu
              className="only-wide"
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
          <SheetMenu className="only-narrow" beside={quickExit}>
            {/* Needed because the sheet covers the header's link. */}
            <MenuLink to={help} icon={<HelpIcon />}>
              Necesito ayuda ahora
            </MenuLink>
            <MenuLink to={viewer ? "/" : "/home"} icon={<HomeIcon />}>
              Inicio
            </MenuLink>
            {viewer ? (
              <AccountLinks />
            ) : (
              <>
                <MenuLink to="/auth" icon={<UserIcon />}>
                  Iniciar Sesión
                </MenuLink>
                <MenuLink to="/auth?modo=registro" icon={<UserIcon />}>
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
              <HelpIcon size="s" />
              Necesito ayuda ahora
            </Link>
            {quickExit}
          </div>
        </div>
      </div>
    </header>
  );
}

/** Link to the notifications: a lamp, which is lit if there are new ones. */
function Lamp({ count }: { count: number }) {
  return (
    <Link className={count ? "lamp lamp--lit" : "lamp"} to="/notificaciones">
      <svg viewBox="0 0 26 42" aria-hidden="true">
        <path d="M13 17v21M8 39.5h10" />
        <path d="M8 3.5h10l5.5 13h-21z" />
      </svg>
      <span className="visually-hidden">Novedades </span>
      {count > 0 && <b>{count}</b>}
    </Link>
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
      icon={<PinIcon size="s" />}
      button="Ver"
    >
      <option value="">Todos</option>
      {COUNTRIES.map((country) => (
        <option key={country}>{country}</option>
      ))}
    </FilterSelect>
  );
}
