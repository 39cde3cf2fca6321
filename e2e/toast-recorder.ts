/** A page of a test with a record of its toasts. */
export type ToastRecorder = Window & { takeToast?: (words: string) => boolean };

/** Runs in the page. Records the text of every toast. `takeToast` finds one and removes it and all earlier ones. */
export function recordToasts(): void {
  const shown: string[] = [];
  (window as ToastRecorder).takeToast = (words) => {
    const at = shown.findIndex((text) => text.includes(words));
    shown.splice(0, at + 1);
    return at >= 0;
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const toast of [node, ...node.querySelectorAll(".toast")])
            if (toast.matches(".toast")) shown.push(toast.textContent ?? "");
  }).observe(document, { childList: true, subtree: true });
}
