import { useEffect, useRef } from "react";
import { NavLink, useLocation } from "react-router";
import { formatCount, pluralize } from "#app/lib/numbers.ts";
import { classNames } from "#app/ui/class-names.ts";
import type { AdminSummaryView } from "#shared/admin.ts";
import "./admin-tabs.css";

/** Tabs of the administration: first the ones for decisions, then the ones for lookups. */
export function AdminTabs({ summary, overdue = 0 }: { summary: AdminSummaryView; overdue: number | undefined }) {
  const strip = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab becomes the current one
  useEffect(() => {
    const tab = strip.current?.querySelector<HTMLElement>("[aria-current]");
    if (!strip.current || !tab) return;
    const { left, width } = strip.current.getBoundingClientRect();
    const box = tab.getBoundingClientRect();
    strip.current.scrollBy({ left: box.left + box.width / 2 - left - width / 2, behavior: "instant" });
  }, [pathname]);
  const wait = (count: number) => pluralize(count, "espera", "esperan");
  const inTotal = (count: number) => `${formatCount(count)} en total`;
  return (
    <nav className="admin-tabs" aria-label="Secciones" ref={strip}>
      <span className="admin-tabs__group" aria-hidden="true">
        Por decidir
      </span>
      <Tab to="/admin" label="Pendientes" count={summary.pending} said={wait} />
      <Tab to="/admin/mensajes" label="Mensajes" count={summary.messages} said={wait} />
      <Tab to="/admin/membresias" label="Membresías" count={summary.payments} said={wait} />
      <span className="admin-tabs__group" aria-hidden="true">
        Para consultar
      </span>
      <Tab to="/admin/consultas" label="Consultas" total count={summary.consultations} said={inTotal} />
      <Tab to="/admin/psicologos" label="Psicólogos" total count={summary.psychologists} said={inTotal} />
      <Tab to="/admin/ayuda" label="Ayuda" total count={overdue} said={(count) => `${count} por comprobar`} />
    </nav>
  );
}

interface TabProps {
  to: string;
  label: string;
  /** Pending or total items. Zero is not shown. */
  count: number;
  total?: boolean;
  /** Screen reader text of the count. */
  said(count: number): string;
}

const Tab = ({ to, label, count, total, said }: TabProps) => (
  <NavLink to={to} end preventScrollReset>
    {label}
    {count > 0 && (
      <span className={classNames("admin-tabs__count", total && "is-total")}>
        <span aria-hidden="true">{formatCount(count)}</span>
        <span className="visually-hidden"> ({said(count)})</span>
      </span>
    )}
  </NavLink>
);
