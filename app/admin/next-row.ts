import { type FocusEvent, type MouseEvent, type SyntheticEvent, useEffect, useRef } from "react";

/** Pause after rows have moved, in milliseconds. */
const SETTLE_MS = 500;

/** Those that can be seen: what was dealt with may lie in a closed part. */
const rowsIn = (main: HTMLElement) =>
  [...main.querySelectorAll<HTMLElement>("article")].filter((row) => row.checkVisibility());

/** What tells a row from others; its element may be another one after the list was loaded anew. */
const nameOf = (row: HTMLElement) => row.id || row.getAttribute("aria-labelledby");

function focusOn(row: HTMLElement | null | undefined): void {
  if (!row) return;
  if (!row.hasAttribute("tabindex")) row.tabIndex = -1;
  row.focus();
}

/** Gives the focus to the row after something that is about to leave; after the last row to that, or else to the title of the list. */
export function focusRowAfter(element: HTMLElement): void {
  const main = element.closest("main");
  if (!main) return;
  const rows = rowsIn(main);
  const next = rows.find((row) => element.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING);
  focusOn(next ?? rows.at(-1) ?? main.querySelector("h2"));
}

/**
 * Keeps the keyboard in a list whose rows leave when they are decided about: what had the focus is gone then, and the next
 * row gets it; after the last row the last one that is left, or else the title of the list. When a decision is undone its
 * row is back and gets it. A press within `SETTLE_MS` after rows have moved was meant for another row and is ignored.
 * @param shown what the lists hold; another value means that rows may have left
 */
export function useNextRow(shown: unknown) {
  const main = useRef<HTMLElement>(null);
  const last = useRef<{ name: string | null; at: number; undoing: boolean } | null>(null);
  const order = useRef<(string | null)[]>([]);
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows move with what is shown, and at no other time
  useEffect(() => {
    const before = order.current;
    order.current = main.current ? rowsIn(main.current).map(nameOf) : [];
    if (order.current.some((name, at) => before.includes(name) && before[at] !== name)) movedAt.current = Date.now();
  }, [shown]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows leave with what is shown, and at no other time
  useEffect(() => {
    const { activeElement, body } = document;
    if (!last.current || !main.current || activeElement !== body) return;
    const { name, at, undoing } = last.current;
    const rows = rowsIn(main.current);
    const still = rows.findIndex((row) => nameOf(row) === name);
    focusOn(rows[still < 0 ? at : undoing ? still : still + 1] ?? rows.at(-1) ?? main.current.querySelector("h2"));
  }, [shown]);
  const note = ({ target }: SyntheticEvent<HTMLElement>) => {
    if (!main.current || !(target instanceof Element)) return;
    const rows = rowsIn(main.current);
    const strip = target.closest<HTMLElement>("[data-row]");
    const row = target.closest("article");
    if (strip) {
      const at = rows.findIndex((one) => strip.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
      last.current = { name: strip.dataset.row!, at: at < 0 ? rows.length : at, undoing: true };
    } else last.current = row && { name: nameOf(row), at: rows.indexOf(row), undoing: false };
  };
  return {
    ref: main,
    onFocus: note,
    // The button in the toast sends the form of a strip without entering it.
    onSubmit: note,
    /** Keys act on what has the focus, which has not moved. */
    onClickCapture(event: MouseEvent) {
      if (event.detail === 0 || Date.now() - movedAt.current > SETTLE_MS) return;
      if (!(event.target as Element).closest("article")) return;
      event.preventDefault();
      event.stopPropagation();
    },
    /** The user went elsewhere. What leaves with its row reports nothing. */
    onBlur({ relatedTarget }: FocusEvent<HTMLElement>) {
      if (!relatedTarget) last.current = null;
    },
  };
}
