import { type ReactNode, useEffect, useRef } from "react";
import { Link, type LinkProps } from "react-router";

interface ChipItem {
  to: LinkProps["to"];
  label: ReactNode;
  current: boolean;
}

interface ChipsProps {
  /** Accessible name, such as "Categorías". */
  label: string;
  items: readonly ChipItem[];
}

/** Filter links. On phones they are one scrolling row, with the current one in view. */
export function Chips({ label, items }: ChipsProps) {
  const row = useRef<HTMLElement>(null);
  const at = items.findIndex((item) => item.current);
  useEffect(() => {
    const chip = row.current?.querySelectorAll(".chip")[at];
    // Not `scrollIntoView`, which would also scroll the page.
    if (row.current && chip instanceof HTMLElement)
      row.current.scrollLeft = chip.offsetLeft - (row.current.clientWidth - chip.offsetWidth) / 2;
  }, [at]);
  return (
    <nav ref={row} aria-label={label} className="strip chips">
      {items.map((item, index) => (
        <Link
          // biome-ignore lint/suspicious/noArrayIndexKey: filters are a fixed list
          key={index}
          to={item.to}
          className="chip"
          aria-current={item.current ? "true" : undefined}
          preventScrollReset
        >
          {item.label}
        </Link>
      ))}
    </nav>
  );
}
