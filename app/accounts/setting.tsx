import type { ReactNode } from "react";
import { ChevronDownIcon } from "#app/ui/icon.tsx";
import "./account.css";

interface SettingProps {
  id?: string;
  /** What it is: "Contraseña". */
  name: string;
  /** How it stands. */
  value: ReactNode;
  /** What the line offers to do; default "Cambiar". */
  verb?: string;
  /** Shows the form from the start: something in it was refused. */
  open?: boolean;
  children: ReactNode;
}

/** One line of the account that opens to change it, without JavaScript too. */
export function Setting({ id, name, value, verb = "Cambiar", open, children }: SettingProps) {
  return (
    <details id={id} className="setting" open={open}>
      <summary>
        <span>
          <b>{name}</b>
          <span className="soft">{value}</span>
        </span>
        <span className="setting__do">
          {verb}
          <ChevronDownIcon size="s" />
        </span>
      </summary>
      <div className="setting__body">{children}</div>
    </details>
  );
}
