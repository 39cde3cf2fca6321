import type { ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";

interface TabItem {
  to: LinkProps["to"];
  label: ReactNode;
  current: boolean;
}

interface TabsProps {
  /** What is chosen here: "Secciones", "Ordenar respuestas". */
  label: string;
  items: readonly TabItem[];
  /** Replaces the entry in the history instead of adding one. */
  replace?: boolean;
  className?: string;
}

/** Tabs that are links: each has an address, the current one is marked with aria-current. The page stays where it is scrolled to. */
export function Tabs({ label, items, replace, className }: TabsProps) {
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
          replace={replace}
        >
          {item.label}
        </Link>
      ))}
    </nav>
  );
}
