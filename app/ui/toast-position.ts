import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** Selector of an element whose focus is visible. Safari before 15.4 rejects the newer one with an error. */
export const FOCUS_VISIBLE = globalThis.CSS?.supports("selector(:focus-visible)") ? ":focus-visible" : ":focus";

/** Toasts must not cover phone numbers. */
const KEPT_CLEAR = "main a[href^='tel:']";
/** Maximum height of a form that toasts must not cover at all, as a part of the viewport. */
const SMALL_FORM = 0.5;
/** Minimum distance to a toast, in pixels. */
const NEAR = 4;

const meet = (one: DOMRect, other: DOMRect) =>
  one.left < other.right + NEAR &&
  other.left < one.right + NEAR &&
  one.top < other.bottom + NEAR &&
  other.top < one.bottom + NEAR;

function controlOf(target: EventTarget | null): Element | null {
  const control =
    target instanceof Element ? target.closest("a, button, summary, label, input, select, textarea") : null;
  const form = control?.closest("form");
  return form && form.offsetHeight <= SMALL_FORM * innerHeight ? form : (control ?? null);
}

/** Returns the number of phone numbers under a box, or infinity if it covers the pressed or focused control. */
function covered(box: DOMRect, pressed: Element | null): number {
  const under = (element: Element) => element.checkVisibility() && meet(box, element.getBoundingClientRect());
  const focused = document.querySelector(`main ${FOCUS_VISIBLE}`);
  const inUse = [pressed, controlOf(focused) ?? focused];
  if (inUse.some((element) => element?.isConnected && under(element))) return Number.POSITIVE_INFINITY;
  return [...document.querySelectorAll(KEPT_CLEAR)].filter(under).length;
}

/** Returns the lower edge of the visible header in pixels, so that toasts do not cover its help link. */
const headerEnd = () =>
  [...document.querySelectorAll("header:not(main *) :is(a, button, select)")]
    .filter((control) => control.checkVisibility())
    .reduce((end, control) => Math.max(end, control.getBoundingClientRect().bottom), 0);

/** Moves the toasts below the header if they would cover the pressed control or a phone number. */
export function useToastPosition(region: RefObject<HTMLElement | null>, toasts: readonly unknown[]): void {
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
      // If both positions are equally good, the toasts do not move.
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
