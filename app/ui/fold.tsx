import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** A part that opens and closes, without JavaScript as well; between lines, or in a panel of its own. */
export function Fold({ title, className, children }: { title: ReactNode; className?: string; children: ReactNode }) {
  return (
    <details className={classNames("group", className ?? "border-line border-b-[1.5px]")}>
      <summary className="flex min-h-[3.25rem] list-none items-center justify-between gap-[1rem] py-[.5rem] font-[620] [&::-webkit-details-marker]:hidden">
        {title}
        <span aria-hidden="true" className="text-primary-ink text-xl group-open:rotate-45">
          +
        </span>
      </summary>
      <div className="pb-[1.25rem]">{children}</div>
    </details>
  );
}
