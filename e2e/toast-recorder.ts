/** What a page of a test knows besides its own: the toasts that it has shown. */
export type ToastRecorder = Window & { takeToast?: (words: string) => boolean };

/** In the page: keeps the words of every toast, in order. `takeToast` finds one and forgets it with those before. */
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
