type Keys = Pick<MouseEvent, "metaKey" | "ctrlKey" | "shiftKey" | "altKey">;

/** True if the click opens a new tab or window or downloads. The browser handles this click itself. */
export const isModifiedClick = ({ metaKey, ctrlKey, shiftKey, altKey }: Keys): boolean =>
  metaKey || ctrlKey || shiftKey || altKey;

export const handleInPage =
  <Click extends Keys & { preventDefault(): void }>(act: (event: Click) => void) =>
  (event: Click): void => {
    if (isModifiedClick(event)) return;
    event.preventDefault();
    act(event);
  };
