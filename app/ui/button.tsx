import type { ComponentProps, MouseEvent, ReactNode, Ref } from "react";
import { Link, type LinkProps } from "react-router";
import { classNames } from "./class-names.ts";
import { LoaderIcon } from "./icon.tsx";

type ButtonVariant = "primary" | "soft" | "quiet" | "clay" | "danger" | "lamp" | "ondeep";

interface Looks {
  variant?: ButtonVariant;
  small?: boolean;
  wide?: boolean;
  /** An icon before the words. */
  icon?: ReactNode;
}

function buttonClass({ variant = "primary", small, wide }: Looks, className?: string): string | undefined {
  return classNames(
    "button",
    variant !== "primary" && `button--${variant}`,
    small && "button--small",
    wide && "button--wide",
    className,
  );
}

interface ButtonProps extends Looks, ComponentProps<"button"> {
  /** The action is under way: shows a spinner, keeps the focus and ignores further presses. */
  busy?: boolean;
  /** Words shown while busy; without them the usual ones stay. */
  busyText?: string;
}

/** A button. Its type is "button" unless told otherwise. While `busy` it cannot send a form again. */
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
  // Not `disabled` while busy: that would drop the keyboard's focus. Enter in a field presses this button too, so stopping the click stops every way to send.
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy || rest["aria-disabled"] === true || rest["aria-disabled"] === "true") event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, small, wide }, className)}
      onClick={press}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"] || undefined}
    >
      {busy ? <LoaderIcon className="spin" size={small ? "s" : "m"} /> : icon}
      {busy && busyText ? busyText : children}
    </button>
  );
}

interface ButtonLinkProps extends Looks, Omit<LinkProps, "className"> {
  /** What it opens is on its way: shows a spinner. */
  busy?: boolean;
  className?: string;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link that looks like a button. */
export function ButtonLink({ variant, small, wide, icon, busy, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} aria-busy={busy || undefined} className={buttonClass({ variant, small, wide }, className)}>
      {busy ? <LoaderIcon className="spin" size={small ? "s" : "m"} /> : icon}
      {children}
    </Link>
  );
}

interface IconButtonProps extends Omit<ComponentProps<"button">, "className" | "type"> {
  /** The accessible name, since an icon has no words. */
  label: string;
}

/** A round button with an icon only. */
export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <button {...rest} type="button" className="icon-button" aria-label={label}>
      {children}
    </button>
  );
}
