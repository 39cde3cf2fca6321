type Keys = Pick<MouseEvent, "metaKey" | "ctrlKey" | "shiftKey" | "altKey">;

/** True if the click opens a new tab or window or downloads. The browser handles this click itself. */
export const isModifiedClick = ({ metaKey, ctrlKey, shiftKey, altKey }: Keys): boolean =>
  metaKey || ctrlKey || shiftKey || altKey;

/** Returns a click handler that runs `act` instead of following the link. The browser handles modified clicks itself. */
export const handleInPage =
  <Click extends Keys & { preventDefault(): void }>(act: (event: Click) => void) =>
  (event: Click): void => {
    if (isModifiedClick(event)) return;
    event.preventDefault();
    act(event);
  };
