type Keys = Pick<MouseEvent, "metaKey" | "ctrlKey" | "shiftKey" | "altKey">;

/** Whether a click on a link asks for a new tab, a new window or a download: it is left to the browser. */
export const isModifiedClick = ({ metaKey, ctrlKey, shiftKey, altKey }: Keys): boolean =>
  metaKey || ctrlKey || shiftKey || altKey;

/** The click handler of a link that acts in the page where scripts run; a modified click is left to the browser. */
export const inPage =
  <Click extends Keys & { preventDefault(): void }>(act: (event: Click) => void) =>
  (event: Click): void => {
    if (isModifiedClick(event)) return;
    event.preventDefault();
    act(event);
  };
