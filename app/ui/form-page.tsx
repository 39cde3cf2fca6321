import type { ReactNode } from "react";
import { BackLink } from "./back-link.tsx";
import { classNames } from "./class-names.ts";

type FormPageProps = { title?: string; back: { to: string; label: string }; className?: string; children: ReactNode };

export const FormPage = ({ title, back, className, children }: FormPageProps) => (
  <main id="contenido" className="page">
    <div className={classNames("thread section", className)}>
      <BackLink to={back.to}>{back.label}</BackLink>
      {title && <h1 className="title-xl">{title}</h1>}
      {children}
    </div>
  </main>
);
