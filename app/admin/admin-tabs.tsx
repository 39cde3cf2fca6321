import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { formatCount, pluralize } from "#app/lib/numbers.ts";
import { classNames } from "#app/ui/class-names.ts";
import "./admin-tabs.css";

type AdminTab = {
  to: string;
  label: string;
  current: boolean;
  /** Pending or total items. Zero is not shown. */
  count?: number;
  /** Screen reader text of the number. Defaults to pending or total items. */
  said?: (number: number) => string;
};

/** Tabs of the admin panel: first the ones for decisions, then the ones for lookups. */
export function AdminTabs({ waiting, totals }: { waiting: readonly AdminTab[]; totals: readonly AdminTab[] }) {
  const strip = useRef<HTMLElement>(null);
  const current = [...waiting, ...totals].find((tab) => tab.current)?.to;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab becomes the current one
  useEffect(() => {
    const tab = strip.current?.querySelector<HTMLElement>("[aria-current]");
    if (!strip.current || !tab) return;
    const { left, width } = strip.current.getBoundingClientRect();
    const box = tab.getBoundingClientRect();
    strip.current.scrollBy({ left: box.left + box.width / 2 - left - width / 2, behavior: "instant" });
  }, [current]);
  return (
    <nav className="admin-tabs" aria-label="Secciones" ref={strip}>
      <span className="admin-tabs__group" aria-hidden="true">
        Por decidir
      </span>
      {waiting.map((tab) => (
        <Tab key={tab.to} tab={tab} said={(number) => pluralize(number, "espera", "esperan")} />
      ))}
      <span className="admin-tabs__group" aria-hidden="true">
        Para consultar
      </span>
      {totals.map((tab) => (
        <Tab key={tab.to} tab={tab} total said={(number) => `${formatCount(number)} en total`} />
      ))}
    </nav>
  );
}

function Tab({ tab, total, said }: { tab: AdminTab; total?: boolean; said: (number: number) => string }) {
  return (
    <Link to={tab.to} aria-current={tab.current ? "page" : undefined} preventScrollReset>
      {tab.label}
      {tab.count ? (
        <span className={classNames("admin-tabs__count", total && "is-total")}>
          <span aria-hidden="true">{formatCount(tab.count)}</span>
          <span className="visually-hidden"> ({(tab.said ?? said)(tab.count)})</span>
        </span>
      ) : null}
    </Link>
  );
}
