import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import { useHydrated } from "#app/lib/hydrated.ts";
import { useDelayedNavigation } from "#app/lib/slow-navigation.ts";
import { DialogFrame } from "./dialog-frame.tsx";
import { Icon } from "./icon.tsx";

/** The native popover works without JavaScript. The menu contains plain links, so that Tab works as usual. */
export function Menu({ label, trigger, children }: { label: string; trigger: ReactNode; children: ReactNode }) {
  const id = useId();
  const ref = useRef<HTMLElement>(null);
  // Chrome before 114 and Safari before 17 have no popover.
  const lacksPopover = useHydrated() && !("popover" in HTMLElement.prototype);
  const [shown, setShown] = useState(false);
  useCloseOnNavigation(() => {
    ref.current?.hidePopover?.();
    setShown(false);
  });
  return (
    <>
      <button
        type="button"
        className="small account-button only-wide"
        popoverTarget={id}
        onClick={() => setShown(!shown)}
        aria-expanded={lacksPopover ? shown : undefined}
      >
        {trigger}
        <Icon name="chevron-down" size="s" />
      </button>
      <nav ref={ref} id={id} popover="auto" hidden={lacksPopover && !shown} className="menu" aria-label={label}>
        <ul>{children}</ul>
      </nav>
    </>
  );
}

export function SheetMenu({ beside, children }: { beside: ReactNode; children: ReactNode }) {
  const id = useId();
  const titleId = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useCloseOnNavigation(() => ref.current?.close());
  // Browsers with invoker commands open the sheet before JavaScript loads.
  const command = { command: "show-modal", commandfor: id };
  return (
    <>
      <button
        type="button"
        className="icon-button only-narrow"
        aria-label="Abrir el menú"
        aria-haspopup="dialog"
        {...command}
        onClick={() => {
          if (!("command" in HTMLButtonElement.prototype)) ref.current?.showModal();
        }}
      >
        <Icon name="menu" />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape is native */}
      <dialog
        ref={ref}
        id={id}
        className="dialog"
        aria-labelledby={titleId}
        onClick={(event) => {
          if (event.target === event.currentTarget) event.currentTarget.close();
        }}
      >
        <DialogFrame title="Menú" titleId={titleId} beside={beside}>
          <nav className="menu" aria-labelledby={titleId}>
            <ul>{children}</ul>
          </nav>
        </DialogFrame>
      </dialog>
    </>
  );
}

export function MenuLink({ icon, children, to }: { icon: ReactNode; children: ReactNode; to: string }) {
  const { pathname } = useLocation();
  return (
    <li>
      <Link to={to} aria-current={to === pathname ? "page" : undefined}>
        {icon}
        {children}
      </Link>
    </li>
  );
}

function useCloseOnNavigation(close: () => void) {
  const here = useLocation();
  const { key } = useDelayedNavigation() ?? here;
  const onNavigation = useEffectEvent(close);
  const at = useRef(key);
  useEffect(() => {
    // A menu that the user opened before hydration stays open.
    if (at.current !== key) onNavigation();
    at.current = key;
  }, [key]);
}
