import { expect, test, vi } from "vitest";
import { handleInPage } from "./modified-click.ts";

test.each([null, "metaKey", "ctrlKey", "shiftKey", "altKey"])(
  "runs the handler only without a modifier key (%s)",
  (key) => {
    const act = vi.fn();
    const keys = { metaKey: false, ctrlKey: false, shiftKey: false, altKey: false };
    const click = { ...keys, ...(key && { [key]: true }), preventDefault: vi.fn() };
    handleInPage(act)(click);
    expect(act.mock.calls).toEqual(key ? [] : [[click]]);
    expect(click.preventDefault).toHaveBeenCalledTimes(key ? 0 : 1);
  },
);
