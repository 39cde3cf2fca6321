import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { classNames } from "./class-names.ts";
import { DialogFrame, type DialogFrameProps } from "./dialog-frame.tsx";

interface DialogProps extends Pick<DialogFrameProps, "title" | "beside"> {
  onClose: () => void;
  small?: boolean;
  className?: string;
  children?: ReactNode;
}

/** Open while it is rendered. If the server renders it, it is part of the page until JavaScript makes it modal. */
export function Dialog({ onClose, title, small, beside, className, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  /** True if the press began outside, so that selecting text beyond the edge does not close the dialog. */
  const outside = useRef(false);

  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const before = document.activeElement;
    dialog.removeAttribute("open");
    dialog.showModal();
    return () => {
      dialog.close();
      // The browser restores the focus itself, except if the dialog is removed from the document.
      if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={ref}
      open
      className={classNames("dialog", small && "dialog--small", className)}
      aria-labelledby={titleId}
      // React's state controls the dialog, not the browser.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // Chrome closes on a second Escape even if the first was prevented.
      onClose={(event) => {
        if (event.target === event.currentTarget && !event.currentTarget.open) onClose();
      }}
      // The content fills the dialog, so an event of the dialog itself is outside.
      onMouseDown={({ target, currentTarget }) => {
        outside.current = target === currentTarget;
      }}
      onClick={({ target, currentTarget }) => outside.current && target === currentTarget && onClose()}
    >
      <DialogFrame title={title} titleId={titleId} beside={beside} onClose={onClose}>
        <div className="above-4">{children}</div>
      </DialogFrame>
    </dialog>
  );
}

export const DialogActions = ({ before, children }: { before?: ReactNode; children: ReactNode }) => (
  <div className="dialog__footer">
    {before}
    <div className="actions">{children}</div>
  </div>
);

type ConfirmDialogProps = Omit<DialogProps, "small" | "className"> & { action: ReactNode; cancel?: string };

/** The cancel button is first and receives the focus. */
export const ConfirmDialog = ({ children, action, cancel = "Cancelar", ...dialog }: ConfirmDialogProps) => (
  <Dialog {...dialog} small>
    <div>{children}</div>
    <DialogActions>
      <button
        type="button"
        className="button button--quiet"
        // `showModal()` uses the attribute. React's `autoFocus` only acts on mount.
        ref={(element) => element?.setAttribute("autofocus", "")}
        onClick={dialog.onClose}
      >
        {cancel}
      </button>
      {action}
    </DialogActions>
  </Dialog>
);
