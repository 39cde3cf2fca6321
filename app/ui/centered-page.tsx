import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Armchair, type ArmchairObject } from "./illustrations.tsx";

interface CenteredPageProps {
  title: ReactNode;
  illustration?: ArmchairObject | false | null;
  before?: ReactNode;
  wide?: boolean;
  card?: boolean;
  className?: string;
  children: ReactNode;
}

export const CenteredPage = ({ title, illustration, before, wide, card, className, children }: CenteredPageProps) => (
  <main id="contenido" className={classNames("page centered-page", wide && "centered-page--wide", className)}>
    {before}
    <div className="centered-page__header">
      <h1>{title}</h1>
      <Armchair object={illustration || undefined} />
    </div>
    {card ? <CenteredPageCard>{children}</CenteredPageCard> : children}
  </main>
);

export const CenteredPageCard = ({ children }: { children: ReactNode }) => (
  <div className="panel centered-page__card">{children}</div>
);
