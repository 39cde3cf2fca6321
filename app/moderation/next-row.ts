import { type FocusEvent, useEffect, useRef } from "react";

/** Those that can be seen: what was dealt with may lie in a closed part. */
const rowsIn = (main: HTMLElement) =>
  [...main.querySelectorAll<HTMLElement>("article")].filter((row) => row.checkVisibility());

/** What tells a row from others; its element may be another one after the list was loaded anew. */
const nameOf = (row: HTMLElement) => row.id || row.getAttribute("aria-labelledby");

/**
 * Keeps the keyboard in a list whose rows leave when they are decided about: what had the focus is gone then, and the next
 * row gets it; after the last row the last one that is left, or else the title of the list.
 * @param shown what the lists hold; another value means that rows may have left
 */
export function useNextRow(shown: unknown) {
  const main = useRef<HTMLElement>(null);
  const last = useRef<{ name: string | null; at: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows leave with what is shown, and at no other time
  useEffect(() => {
    const { activeElement, body } = document;
    if (!last.current || !main.current || activeElement !== body) return;
    const { name, at } = last.current;
    const rows = rowsIn(main.current);
    const still = rows.findIndex((row) => nameOf(row) === name);
    const next = rows[still < 0 ? at : still + 1] ?? rows.at(-1) ?? main.current.querySelector("h2");
    if (!next) return;
    if (!next.hasAttribute("tabindex")) next.tabIndex = -1;
    next.focus();
  }, [shown]);
  return {
    ref: main,
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const row = target.closest("article");
      last.current = row && main.current && { name: nameOf(row), at: rowsIn(main.current).indexOf(row) };
    },
    /** The user went elsewhere. What leaves with its row reports nothing. */
    onBlur({ relatedTarget }: FocusEvent<HTMLElement>) {
      if (!relatedTarget) last.current = null;
    },
  };
}
