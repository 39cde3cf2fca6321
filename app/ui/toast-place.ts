import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** What no toast may lie over, besides what was pressed: a telephone number to call. */
const KEPT_CLEAR = "main a[href^='tel:']";
/** A form that is no higher than this is kept clear as a whole: its numbers belong to the button. In pixels. */
const SMALL_FORM = 120;
/** What is this near to a toast counts as covered. In pixels. */
const NEAR = 4;

const meet = (one: DOMRect, other: DOMRect) =>
  one.left < other.right + NEAR &&
  other.left < one.right + NEAR &&
  one.top < other.bottom + NEAR &&
  other.top < one.bottom + NEAR;

/** The control that an event came from, with the small form around it. */
function controlOf(target: EventTarget | null): Element | null {
  const control =
    target instanceof Element ? target.closest("a, button, summary, label, input, select, textarea") : null;
  const form = control?.closest("form");
  return form && form.offsetHeight <= SMALL_FORM ? form : (control ?? null);
}

/** How much lies under a box: what was pressed or has the keyboard's focus counts more than any number of telephone numbers. */
function covered(box: DOMRect, pressed: Element | null): number {
  const under = (element: Element) => element.checkVisibility() && meet(box, element.getBoundingClientRect());
  const inUse = [pressed, document.querySelector("main :focus-visible")];
  if (inUse.some((element) => element?.isConnected && under(element))) return Number.POSITIVE_INFINITY;
  return [...document.querySelectorAll(KEPT_CLEAR)].filter(under).length;
}

/** The lower edge of what the page's header shows, in pixels from the top of the window: its row of help stays in reach. */
const headerEnd = () =>
  [...document.querySelectorAll("header:not(main *) :is(a, button, select)")]
    .filter((control) => control.checkVisibility())
    .reduce((end, control) => Math.max(end, control.getBoundingClientRect().bottom), 0);

/**
 * Puts the toasts of a page at its lower edge, or below its header where they would cover there what was pressed or a
 * number to call. They look again when the page moves under them, but stay while they are pointed at or focused. Inside a
 * dialog they have a place of their own.
 * @param toasts changes whenever other toasts are shown
 */
export function useToastPlace(region: RefObject<HTMLElement | null>, toasts: readonly unknown[]): void {
  const pressed = useRef<Element | null>(null);
  useEffect(() => {
    const note = ({ target }: Event) => {
      if (!region.current?.contains(target as Node)) pressed.current = controlOf(target);
    };
    document.addEventListener("click", note, true);
    return () => document.removeEventListener("click", note, true);
  }, [region]);

  useLayoutEffect(() => {
    if (!toasts.length) return;
    const place = () => {
      const section = region.current;
      const toast = section?.querySelector(".toast");
      if (!section || !toast || section.matches("dialog *, :hover, :focus-within")) return;
      const before = section.dataset.place;
      section.style.setProperty("--header-end", `${headerEnd()}px`);
      const coveredAt = (where: "below" | "above") => {
        section.dataset.place = where;
        const { top, height } = section.getBoundingClientRect();
        const { left, width } = toast.getBoundingClientRect();
        return covered(new DOMRect(left, top, width, height), pressed.current);
      };
      const [above, below] = [coveredAt("above"), coveredAt("below")];
      // Of two places that are equally good, the one where they are: nothing jumps.
      section.dataset.place = above < below || (above === below && before === "above") ? "above" : "below";
    };
    place();
    let asked = 0;
    const later = () => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(place);
    };
    window.addEventListener("scroll", later, { passive: true });
    window.addEventListener("resize", later);
    document.addEventListener("focusin", place);
    return () => {
      cancelAnimationFrame(asked);
      window.removeEventListener("scroll", later);
      window.removeEventListener("resize", later);
      document.removeEventListener("focusin", place);
    };
  }, [region, toasts]);
}
