import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { Link } from "react-router";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

export interface Toast {
  title: string;
  description?: ReactNode;
  tone?: "success" | "error";
  link?: { to: string; label: string };
  /** Id of its subject: the toast replaces an earlier one about the same. */
  about?: string;
}

type Show = (toast: Toast) => void;

interface Shown extends Toast {
  key: number;
  /** Time until it disappears, in milliseconds. */
  left: number;
}

/** Selector of an element whose focus is visible. Safari before 15.4 rejects the newer one with an error. */
const FOCUS_VISIBLE = globalThis.CSS?.supports("selector(:focus-visible)") ? ":focus-visible" : ":focus";

const MOST = 3;
const TICK_MS = 100;

// Errors take longer to read.
const shownAs = (toast: Toast, key: number): Shown => ({ ...toast, key, left: toast.tone === "error" ? 5000 : 4000 });

const ToastContext = createContext<Show>(() => {});

export const useToast = (): Show => useContext(ToastContext);

interface ToastProviderProps {
  /** Toast from the server, once per `id`, even without JavaScript. */
  flash?: (Toast & { id: string }) | null;
  children: ReactNode;
}

export function ToastProvider({ flash, children }: ToastProviderProps) {
  const [toasts, setToasts] = useState<Shown[]>(() => (flash ? [shownAs(flash, 0)] : []));
  const nextKey = useRef(1);
  const host = useToastHost(toasts.length);
  const place = useRef<HTMLElement>(null);
  useToastPosition(place, toasts);

  const show = useCallback((toast: Toast) => {
    const key = nextKey.current++;
    // A success replaces earlier errors, which no longer apply.
    setToasts((all) => {
      const applies = ({ tone, about }: Toast) =>
        (toast.tone === "error" || tone !== "error") && !(about && about === toast.about);
      return [...all.filter(applies), shownAs(toast, key)].slice(-MOST);
    });
  }, []);
  const dismiss = useCallback((key: number) => setToasts((all) => all.filter((toast) => toast.key !== key)), []);
  // Not a timer per element: React remounts the elements when a dialog opens or closes.
  useEffect(() => {
    if (!toasts.length) return;
    let last = Date.now();
    const timer = setInterval(() => {
      const elapsed = Date.now() - last;
      last += elapsed;
      for (const toast of toasts) {
        if (document.getElementById(idOf(toast))?.matches(":hover, :focus-within")) continue;
        toast.left -= elapsed;
        if (toast.left <= 0) dismiss(toast.key);
      }
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [toasts, dismiss]);

  const flashed = useRef(flash?.id);
  useEffect(() => {
    if (flash && flash.id !== flashed.current) show(flash);
    flashed.current = flash?.id;
  }, [flash, show]);

  // Scrolls a keyboard-focused element out from under a toast. Does not scroll on a pointer's focus, because the
  // pressed element must not move.
  useEffect(() => {
    if (!toasts.length) return;
    const uncover = (focused: Element | null) => {
      if (focused?.matches(FOCUS_VISIBLE)) focused.scrollIntoView({ block: "nearest", behavior: "instant" });
    };
    const onFocus = (event: FocusEvent) => uncover(event.target as Element);
    // Does not scroll back an element outside the viewport.
    const { top = 0, bottom = -1 } = document.activeElement?.getBoundingClientRect() ?? {};
    if (bottom > 0 && top < innerHeight) uncover(document.activeElement);
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, [toasts]);

  const region = (
    <section ref={place} className="toasts" aria-label="Avisos">
      {["status", "alert"].map((role) => (
        <div key={role} role={role} aria-atomic="false">
          {toasts
            .filter((toast) => (toast.tone === "error") === (role === "alert"))
            .map((toast) => (
              <ToastCard key={toast.key} toast={toast} onDismiss={() => dismiss(toast.key)} />
            ))}
        </div>
      ))}
    </section>
  );
  return (
    <ToastContext value={show}>
      {children}
      {host ? createPortal(region, host) : region}
    </ToastContext>
  );
}

/** Everything outside a modal dialog is inert, so toasts move into it. @returns null for the page's own container */
function useToastHost(shown: number): Element | null {
  const [host, setHost] = useState<Element | null>(null);
  useEffect(() => {
    if (!shown) return;
    const look = () => {
      const dialog = Array.from(document.querySelectorAll("dialog[open]")).at(-1);
      // In a small dialog the toasts would cover its title, so they use the top of the window.
      setHost(dialog?.querySelector(".dialog:not(.dialog--small) .dialog__footer") ?? dialog ?? null);
    };
    look();
    // Not the dialogs' events: an unmounted dialog fires none.
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["open"] });
    return () => observer.disconnect();
  }, [shown]);
  return host?.isConnected ? host : null;
}

const idOf = ({ key }: Shown) => `toast-${key}`;

function ToastCard({ toast, onDismiss }: { toast: Shown; onDismiss: () => void }) {
  const error = toast.tone === "error";
  return (
    <div id={idOf(toast)} className={error ? "toast toast--error" : "toast"}>
      <Icon name={error ? "alert" : "check"} />
      <p className="small">
        <b>{toast.title}</b>
        {toast.description}
        {toast.link && (
          <Link to={toast.link.to} className="toast__link" onClick={onDismiss}>
            {toast.link.label}
          </Link>
        )}
      </p>
      <IconButton label="Cerrar aviso" onClick={onDismiss}>
        <Icon name="x" size="s" />
      </IconButton>
    </div>
  );
}

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
function useToastPosition(region: RefObject<HTMLElement | null>, toasts: readonly unknown[]): void {
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
