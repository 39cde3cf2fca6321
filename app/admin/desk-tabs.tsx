import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { count, counted } from "#app/lib/numbers.ts";
import { classNames } from "#app/ui/class-names.ts";
import "./desk-tabs.css";

type DeskTab = {
  to: string;
  label: string;
  current: boolean;
  /** How many wait there, or how many there are; zero is not shown. */
  count?: number;
  /** What the number means, for screen readers; without it, how many wait or how many there are. */
  said?: (number: number) => string;
};

/** The parts of the desk: those where something waits for a decision, then those that are for looking things up. */
export function DeskTabs({ waiting, totals }: { waiting: readonly DeskTab[]; totals: readonly DeskTab[] }) {
  const strip = useRef<HTMLElement>(null);
  const current = [...waiting, ...totals].find((tab) => tab.current)?.to;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is to be in view when it is the current one
  useEffect(() => {
    const tab = strip.current?.querySelector<HTMLElement>("[aria-current]");
    if (!strip.current || !tab) return;
    const { left, width } = strip.current.getBoundingClientRect();
    const box = tab.getBoundingClientRect();
    strip.current.scrollBy({ left: box.left + box.width / 2 - left - width / 2, behavior: "instant" });
  }, [current]);
  return (
    <nav className="desk-tabs" aria-label="Secciones" ref={strip}>
      <span className="desk-tabs__kind" aria-hidden="true">
        Por decidir
      </span>
      {waiting.map((tab) => (
        <Tab key={tab.to} tab={tab} said={(number) => counted(number, "espera", "esperan")} />
      ))}
      <span className="desk-tabs__kind" aria-hidden="true">
        Para consultar
      </span>
      {totals.map((tab) => (
        <Tab key={tab.to} tab={tab} total said={(number) => `${count(number)} en total`} />
      ))}
    </nav>
  );
}

function Tab({ tab, total, said }: { tab: DeskTab; total?: boolean; said: (number: number) => string }) {
  return (
    <Link to={tab.to} aria-current={tab.current ? "page" : undefined} preventScrollReset>
      {tab.label}
      {tab.count ? (
        <span className={classNames("desk-tabs__count", total && "is-total")}>
          <span aria-hidden="true">{count(tab.count)}</span>
          <span className="visually-hidden"> ({(tab.said ?? said)(tab.count)})</span>
        </span>
      ) : null}
    </Link>
  );
}
