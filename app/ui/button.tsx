import type { ComponentProps, MouseEvent, ReactNode, Ref } from "react";
import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";
import { Icon } from "./icon.tsx";

type ButtonVariant = "primary" | "soft" | "quiet" | "danger" | "accent" | "on-dark";

interface ButtonStyleProps {
  variant?: ButtonVariant;
  small?: boolean;
  wide?: boolean;
  icon?: ReactNode;
}

function buttonClass({ variant = "primary", small, wide }: ButtonStyleProps, className?: string): string | undefined {
  return classNames(
    "button",
    variant !== "primary" && `button--${variant}`,
    small && "button--small",
    wide && "button--wide",
    className,
  );
}

interface ButtonProps extends ButtonStyleProps, ComponentProps<"button"> {
  busy?: boolean;
  busyText?: string;
}

export function Button({
  variant,
  small,
  wide,
  icon,
  busy = false,
  busyText,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
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
      className={buttonClass({ variant, small, wide }, className)}
      onClick={press}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
    >
      {busy ? <Icon name="loader" className="spin" size={small ? "s" : "m"} /> : icon}
      {busy && busyText ? busyText : children}
    </button>
  );
}

interface ButtonLinkProps extends ButtonStyleProps, Omit<LinkProps, "className"> {
  busy?: boolean;
  className?: string;
  ref?: Ref<HTMLAnchorElement>;
}

export function ButtonLink({ variant, small, wide, icon, busy, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} aria-busy={busy || undefined} className={buttonClass({ variant, small, wide }, className)}>
      {busy ? <Icon name="loader" className="spin" size={small ? "s" : "m"} /> : icon}
      {children}
    </Link>
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "className" | "type"> {
  label: string;
}

export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <button {...rest} type="button" className="icon-button" aria-label={label}>
      {children}
    </button>
  );
}
