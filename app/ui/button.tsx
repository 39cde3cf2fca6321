import type { ComponentProps, MouseEvent, ReactNode, Ref } from "react";
import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";

interface Looks {
  variant?: "primary" | "soft" | "quiet" | "danger" | "accent" | "on-dark";
  small?: boolean;
  wide?: boolean;
  icon?: ReactNode;
  busy?: boolean;
  className?: string;
}

function looksOf({ variant = "primary", small, wide, icon, busy, className }: Looks) {
  const look = variant !== "primary" && `button--${variant}`;
  return {
    sign: busy ? <Icon name="loader" className="spin" size={small ? "s" : "m"} /> : icon,
    classes: classNames("button", look, small && "button--small", wide && "button--wide", className),
  };
}

type ButtonProps = Looks & ComponentProps<"button"> & { busyText?: string };

export function Button({ variant, small, wide, icon, busy, busyText, className, ...button }: ButtonProps) {
  const { onClick, type = "button", children, ...rest } = button;
  const { sign, classes } = looksOf({ variant, small, wide, icon, busy, className });
  // Not `disabled` while busy, because that would remove the focus. Enter in a field also clicks this button, so
  // preventing the click prevents every submit.
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      className={classes}
      onClick={press}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
    >
      {sign}
      {busy && busyText ? busyText : children}
    </button>
  );
}

type ButtonLinkProps = Looks & Omit<LinkProps, "className"> & { ref?: Ref<HTMLAnchorElement> };

export function ButtonLink({ variant, small, wide, icon, busy, className, children, ...rest }: ButtonLinkProps) {
  const { sign, classes } = looksOf({ variant, small, wide, icon, busy, className });
  return (
    <Link {...rest} aria-busy={busy || undefined} className={classes}>
      {sign}
      {children}
    </Link>
  );
}

type IconButtonProps = Omit<ComponentProps<"button">, "className" | "type"> & { label: string };

export const IconButton = ({ label, children, ...rest }: IconButtonProps) => (
  <button {...rest} type="button" className="icon-button" aria-label={label}>
    {children}
  </button>
);
