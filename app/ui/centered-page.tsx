import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Armchair, type ArmchairObject } from "./illustrations.tsx";

interface CenteredPageProps {
  title: ReactNode;
  /** Object on the armchair that illustrates the page. Omitted on error pages. */
  illustration?: ArmchairObject | false | null;
  /** Rendered above the title: the back link, or tabs. */
  before?: ReactNode;
  /** True for pages with several cards. */
  wide?: boolean;
  /** True if the page has one card around all children. */
  card?: boolean;
  className?: string;
  /** Cards (`CenteredPageCard`, `Panel`), then the content below them. */
  children: ReactNode;
}

/** Layout of small pages: a centred column, the title on the left, and the armchair on the edge of the first card. */
export function CenteredPage({ title, illustration, before, wide, card, className, children }: CenteredPageProps) {
  return (
    <main id="contenido" className={classNames("page centered-page", wide && "centered-page--wide", className)}>
      {before}
      <div className="centered-page__header">
        <h1>{title}</h1>
        <Armchair object={illustration || undefined} />
      </div>
      {card ? <CenteredPageCard>{children}</CenteredPageCard> : children}
    </main>
  );
}

/** Card with the text and the form of a small page. */
export const CenteredPageCard = ({ children }: { children: ReactNode }) => (
  <div className="panel centered-page__card">{children}</div>
);
