import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from "react";
import { classNames } from "./class-names.ts";
import { XIcon } from "./icon.tsx";

// On the server there is nothing to lay out, and React warns.
const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

interface DialogProps {
  open: boolean;
  /** Asked for by Escape, the close button and a tap outside. */
  onClose: () => void;
  title: ReactNode;
  /** A sentence under the title. */
  description?: ReactNode;
  /** Small: for questions with two answers. */
  small?: boolean;
  /** Another way out in its head; after the close button, which has the focus at first. */
  beside?: ReactNode;
  className?: string;
  children?: ReactNode;
}

/**
 * A modal dialog on the native element, which brings the focus trap, Escape and the inert page behind it:
 * a sheet from below on phones, a card in the middle of wide screens.
 * Rendered open by the server it stands in the page until JavaScript makes it modal.
 */
export function Dialog({ open, onClose, title, description, small, beside, className, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const atFirst = useRef(open);
  const titleId = useId();
  const descriptionId = useId();
  const tap = useOutsideTap(onClose);

  useBrowserLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog || !open) return;
    const before = document.activeElement;
    dialog.removeAttribute("open");
    dialog.showModal();
    return () => {
      dialog.close();
      // The browser gives the focus back itself, except when the dialog leaves the page.
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
    };
  }, [open]);

  return (
    <dialog
      ref={ref}
      open={atFirst.current}
      className={classNames("sheet", small && "sheet--small", className)}
      aria-labelledby={titleId}
      aria-describedby={description ? descriptionId : undefined}
      // React's state decides: the native closing is refused and asked for instead.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // Chrome closes on a second Escape whatever was refused before. The event comes late: by then the dialog may be open again.
      onClose={(event) => {
        if (open && event.target === event.currentTarget && !event.currentTarget.open) onClose();
      }}
      {...tap}
    >
      <div className="sheet__inner">
        <div className="sheet__head">
          <h2 id={titleId}>{title}</h2>
          {/* A form of its own closes the dialog without JavaScript as well. */}
          <form method="dialog">
            <button
              type="submit"
              className="icon-button"
              aria-label="Cerrar"
              onClick={(event) => {
                event.preventDefault();
                onClose();
              }}
            >
              <XIcon />
            </button>
          </form>
          {beside}
        </div>
        {description && (
          <p className="sheet__lead" id={descriptionId}>
            {description}
          </p>
        )}
        <div className="sheet__body">{children}</div>
      </div>
    </dialog>
  );
}

/** Both press and release must be outside: selecting text from inside to outside closes nothing. */
function useOutsideTap(onClose: () => void): Pick<ComponentProps<"dialog">, "onMouseDown" | "onClick"> {
  const began = useRef(false);
  const outside = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target !== event.currentTarget) return false;
    const box = event.currentTarget.getBoundingClientRect();
    return (
      event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom
    );
  };
  return {
    onMouseDown: (event) => {
      began.current = outside(event);
    },
    onClick: (event) => {
      if (began.current && outside(event)) onClose();
      began.current = false;
    },
  };
}

/** The row of buttons at the end of a dialog; it stays in view however long the dialog is. Inside a form it holds the sending button. */
export function DialogActions({ before, children }: { before?: ReactNode; children: ReactNode }) {
  return (
    <div className="sheet__foot">
      {before}
      <div className="actions">{children}</div>
    </div>
  );
}

/** React's `autoFocus` acts when an element is mounted; showModal() looks for the attribute. */
function focusOnOpening(element: HTMLElement | null) {
  element?.setAttribute("autofocus", "");
}

interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** What will happen. */
  children: ReactNode;
  /** The button that does it, usually in a form of its own. */
  action: ReactNode;
  cancel?: string;
  beside?: DialogProps["beside"];
}

/** A question before something that cannot be undone. The harmless answer comes first and has the focus. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  action,
  cancel = "Cancelar",
  beside,
}: ConfirmDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title} beside={beside} small>
      <div>{children}</div>
      <DialogActions>
        <button type="button" className="button button--quiet" ref={focusOnOpening} onClick={onClose}>
          {cancel}
        </button>
        {action}
      </DialogActions>
    </Dialog>
  );
}
