import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

export interface DialogFrameProps {
  title: ReactNode;
  titleId: string;
  /** Further control in the header, after the close button, which receives the initial focus. */
  beside?: ReactNode;
  onClose?: () => void;
  children: ReactNode;
}

/** The close button is a form, which works without JavaScript. */
export const DialogFrame = ({ title, titleId, beside, onClose, children }: DialogFrameProps) => (
  <div className="dialog__inner">
    <div className="dialog__header">
      <h2 id={titleId}>{title}</h2>
      <form method="dialog">
        <button
          type="submit"
          className="icon-button"
          aria-label="Cerrar"
          onClick={(event) => {
            if (!onClose) return;
            event.preventDefault();
            onClose();
          }}
        >
          <Icon name="x" />
        </button>
      </form>
      {beside}
    </div>
    {children}
  </div>
);
