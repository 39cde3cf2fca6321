import { type FocusEvent, type MouseEvent, type SyntheticEvent, useEffect, useRef } from "react";

/** Time after a layout change in which it ignores clicks, in milliseconds. */
const SETTLE_MS = 500;

/** Returns the visible rows. Handled rows may be in a closed `<details>`. */
const rowsIn = (main: HTMLElement) =>
  [...main.querySelectorAll<HTMLElement>("article")].filter((row) => row.checkVisibility());

function focusOn(row: HTMLElement | null | undefined): void {
  if (!row) return;
  if (!row.hasAttribute("tabindex")) row.tabIndex = -1;
  row.focus();
}

/** Focuses the next row before `element` is removed. Falls back to the last row, then to the list's title. */
export function focusNextRow(element: HTMLElement): void {
  const main = element.closest("main");
  if (!main) return;
  const rows = rowsIn(main);
  const next = rows.find((row) => element.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING);
  focusOn(next ?? rows.at(-1) ?? main.querySelector("h2"));
}

/**
 * Restores the focus when a decided row disappears: to the next row, else to the last one, else to the list's title. If
 * a decision is undone, its row receives the focus.
 *
 * Ignores clicks within `SETTLE_MS` after rows moved, because the user aimed at another row.
 * @param shown items of the lists; a change means that rows may have disappeared
 */
export function useRowFocus(shown: unknown) {
  const main = useRef<HTMLElement>(null);
  const last = useRef<{ id: string; at: number; undoing: boolean } | null>(null);
  const order = useRef<string[]>([]);
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows move and disappear only when the data change
  useEffect(() => {
    const rows = main.current ? rowsIn(main.current) : [];
    const before = order.current;
    order.current = rows.map(({ id }) => id);
    if (order.current.some((id, at) => before.includes(id) && before[at] !== id)) movedAt.current = Date.now();
    const { activeElement, body } = document;
    if (!last.current || !main.current || activeElement !== body) return;
    const { id, at, undoing } = last.current;
    const still = rows.findIndex((row) => row.id === id);
    focusOn(rows[still < 0 ? at : undoing ? still : still + 1] ?? rows.at(-1) ?? main.current.querySelector("h2"));
  }, [shown]);
  const note = ({ target }: SyntheticEvent<HTMLElement>) => {
    if (!main.current || !(target instanceof Element)) return;
    const rows = rowsIn(main.current);
    const strip = target.closest<HTMLElement>("[data-row]");
    const row = target.closest("article");
    if (strip) {
      const at = rows.findIndex((one) => strip.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
      last.current = { id: strip.dataset.row!, at: at < 0 ? rows.length : at, undoing: true };
    } else last.current = row && { id: row.id, at: rows.indexOf(row), undoing: false };
  };
  return {
    ref: main,
    onFocus: note,
    // The button in a toast submits the form of a row without focusing it.
    onSubmit: note,
    /** Keyboard clicks act on the focused element, which did not move. */
    onClickCapture(event: MouseEvent) {
      if (event.detail === 0 || Date.now() - movedAt.current > SETTLE_MS) return;
      if (!(event.target as Element).closest("article")) return;
      event.preventDefault();
      event.stopPropagation();
    },
    /** The user moved the focus away. A removed element fires no blur event. */
    onBlur({ relatedTarget }: FocusEvent<HTMLElement>) {
      if (!relatedTarget) last.current = null;
    },
  };
}
