import type { ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";

interface TabItem {
  to: LinkProps["to"];
  label: ReactNode;
  current: boolean;
}

interface TabsProps {
  /** Accessible name, such as "Secciones" or "Ordenar respuestas". */
  label: string;
  items: readonly TabItem[];
  className?: string;
}

/** Tabs as links, each with its own URL. `aria-current` marks the current one. The scroll position stays. */
export function Tabs({ label, items, className }: TabsProps) {
  return (
    <nav aria-label={label} className={classNames("tabs", className)}>
      {items.map((item, at) => (
        <Link
          // biome-ignore lint/suspicious/noArrayIndexKey: tabs are a fixed list
          key={at}
          to={item.to}
          className="tab"
          aria-current={item.current ? "page" : undefined}
          preventScrollReset
        >
          {item.label}
        </Link>
      ))}
    </nav>
  );
}
