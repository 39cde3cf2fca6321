import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";

interface LinkRowProps {
  label: string;
  items: readonly { to: LinkProps["to"]; label: ReactNode; current: boolean }[];
  className?: string;
}

export const Tabs = ({ label, items, className }: LinkRowProps) => (
  <nav aria-label={label} className={classNames("tabs", className)}>
    <Links items={items} className="tab" mark="page" />
  </nav>
);

export function Chips({ label, items }: Omit<LinkRowProps, "className">) {
  const row = useRef<HTMLElement>(null);
  useCurrentInView(row);
  return (
    <nav ref={row} aria-label={label} className="strip chips">
      <Links items={items} className="chip" mark="true" />
    </nav>
  );
}

type LinksProps = Pick<LinkRowProps, "items"> & { className: string; mark: "page" | "true" };

const Links = ({ items, className, mark }: LinksProps) =>
  items.map(({ to, label, current }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items are a fixed list
    <Link key={at} to={to} className={className} aria-current={current ? mark : undefined} preventScrollReset>
      {label}
    </Link>
  ));

export function useCurrentInView(row: RefObject<HTMLElement | null>): void {
  const shown = useRef<Element>(null);
  useEffect(() => {
    const link = row.current?.querySelector<HTMLElement>("[aria-current]") ?? null;
    // Not `scrollIntoView`, which would also scroll the page.
    if (row.current && link && link !== shown.current)
      row.current.scrollLeft = link.offsetLeft - (row.current.clientWidth - link.offsetWidth) / 2;
    shown.current = link;
  });
}
