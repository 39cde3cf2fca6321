import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Armchair } from "./drawings.tsx";

interface NookProps {
  title: ReactNode;
  /** What lies on the armchair's seat and tells the page (seat-objects.tsx); nothing where something is missing. */
  seat?: ReactNode;
  /** Above the title: the way back, or tabs. */
  before?: ReactNode;
  /** For pages with several cards. */
  wide?: boolean;
  className?: string;
  /** Cards (`NookCard`, `Panel`); then what stands under them. */
  children: ReactNode;
}

/** The one layout of every small page: a centred column, the title at the left, the armchair on the edge of the first card. */
export function Nook({ title, seat, before, wide, className, children }: NookProps) {
  return (
    <main id="contenido" className={classNames("nook", wide && "nook--wide", className)}>
      {before}
      <div className="nook__head">
        <h1>{title}</h1>
        <Armchair>{seat}</Armchair>
      </div>
      {children}
    </main>
  );
}

/** The cloth on which a small page's words and its form lie. */
export const NookCard = ({ children }: { children: ReactNode }) => <div className="panel nook__card">{children}</div>;
