import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { Icon } from "#app/ui/icon.tsx";
import "./account.css";

type SettingProps = { id?: string; name: string; value: ReactNode; verb?: string; open?: boolean; children: ReactNode };

/** A setting that expands to its form. Works without JavaScript. */
export function Setting({ id, name, value, verb = "Cambiar", open = false, children }: SettingProps) {
  // It stays open after the user corrects the error: closing it would remove the focus.
  const [opened, setOpened] = useState(open);
  if (open && !opened) setOpened(true);
  return (
    <details id={id} className="setting" open={opened}>
      <summary className="row row--apart">
        <span>
          <b>{name}</b>
          <span className="text-muted">{value}</span>
        </span>
        <span className="tap-link small setting__action">
          {verb}
          <Icon name="chevron-down" size="s" className="turns" />
        </span>
      </summary>
      <div className="setting__body">{children}</div>
    </details>
  );
}

export const SettingLink = ({ name, value, to, children }: Omit<SettingProps, "verb"> & { to: string }) => (
  <p className="row row--apart setting setting--link">
    <span>
      <b>{name}</b>
      <span className="text-muted">{value}</span>
    </span>
    <Link className="icon-link small" to={to}>
      {children}
      <span className="visually-hidden">{`: ${name}`}</span>
    </Link>
  </p>
);
