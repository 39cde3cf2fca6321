import { type ReactNode, useEffect, useRef } from "react";
import { handleInPage } from "#app/lib/modified-click.ts";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import "./form-message.css";

interface FormMessageProps {
  tone?: "error" | "ok" | "info";
  title: ReactNode;
  children?: ReactNode;
  errors?: readonly { field: string; message: string }[];
  focused?: boolean;
  className?: string;
}

const ICONS = { error: "alert", ok: "check", info: "info" } as const;

/** Focuses the first invalid field, otherwise the message. */
export function FormMessage({ tone = "error", title, children, errors = [], focused, className }: FormMessageProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused) ref.current?.focus();
    if (tone !== "error") return;
    const wrong = ref.current?.closest("main, dialog")?.querySelector<HTMLElement>("[aria-invalid]");
    (wrong ?? ref.current)?.focus();
  }, [tone, focused]);
  return (
    <div
      ref={ref}
      tabIndex={-1}
      // Without JavaScript the browser focuses it.
      {...(tone === "error" && { autoFocus: true })}
      role={tone === "error" ? "alert" : "status"}
      className={classNames("notice", `notice--${tone}`, className)}
    >
      <Icon name={ICONS[tone]} />
      <div>
        <p className="notice__title">{title}</p>
        {children && <div className="small">{children}</div>}
        {errors.length > 0 && (
          <ul>
            {errors.map(({ field, message }) => (
              <li key={field}>
                {/* Following the link would be a navigation, which drops the action's data and thus the errors. */}
                <a href={`#${field}`} onClick={handleInPage(() => document.getElementById(field)?.focus())}>
                  {message}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
