import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Link } from "react-router";
import { AlertIcon, CheckIcon, XIcon } from "./icon.tsx";
import { useToastPlace } from "./toast-place.ts";

export interface Toast {
  title: string;
  description?: ReactNode;
  tone?: "success" | "error";
  /** The way on, where there is one. */
  link?: { to: string; label: string };
}

type Show = (toast: Toast) => void;

interface Shown extends Toast {
  key: number;
}

const MOST = 3;
// An error takes longer to read, and more to understand.
const SUCCESS_MS = 4000;
const ERROR_MS = 5000;

const ToastContext = createContext<Show>(() => {});

/** Returns the function that shows a toast: `toast({ title: "¡Respuesta enviada!" })`. */
export function useToast(): Show {
  return useContext(ToastContext);
}

interface ToastProviderProps {
  /** A toast that the server asks for; it is shown once per `id`, without JavaScript too. */
  flash?: (Toast & { id: string }) | null;
  children: ReactNode;
}

/** Holds the toasts of a page: at most three, read out by screen readers, gone after some seconds unless the pointer or the focus is on them. */
export function ToastProvider({ flash, children }: ToastProviderProps) {
  const [toasts, setToasts] = useState<Shown[]>(() => (flash ? [{ ...flash, key: 0 }] : []));
  const nextKey = useRef(1);
  const host = useToastHost(toasts.length);
  const place = useRef<HTMLElement>(null);
  useToastPlace(place, toasts);

  const show = useCallback((toast: Toast) => {
    const key = nextKey.current++;
    // A success makes an earlier error untrue.
    setToasts((all) =>
      [...all.filter(({ tone }) => toast.tone === "error" || tone !== "error"), { ...toast, key }].slice(-MOST),
    );
  }, []);
  const dismiss = useCallback((key: number) => setToasts((all) => all.filter((toast) => toast.key !== key)), []);
  const clock = useToastClock(toasts, dismiss);

  const flashed = useRef(flash?.id);
  useEffect(() => {
    if (flash && flash.id !== flashed.current) show(flash);
    flashed.current = flash?.id;
  }, [flash, show]);

  // Under a toast the focus cannot be seen. A pointer's focus stays where it is: what is pressed must not move away.
  useEffect(() => {
    if (!toasts.length) return;
    const uncover = (focused: Element | null) => {
      if (focused?.matches(":focus-visible")) focused.scrollIntoView({ block: "nearest", behavior: "instant" });
    };
    const onFocus = (event: FocusEvent) => uncover(event.target as Element);
    // What was scrolled away stays away.
    const { top = 0, bottom = -1 } = document.activeElement?.getBoundingClientRect() ?? {};
    if (bottom > 0 && top < innerHeight) uncover(document.activeElement);
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, [toasts]);

  const region = useMemo(() => {
    const list = (tone: Toast["tone"]) =>
      toasts
        .filter((toast) => (toast.tone ?? "success") === tone)
        .map((toast) => <ToastCard key={toast.key} toast={toast} clock={clock} onDismiss={() => dismiss(toast.key)} />);
    return (
      <section ref={place} className="toasts" aria-label="Avisos">
        <div role="status" aria-atomic="false">
          {list("success")}
        </div>
        <div role="alert" aria-atomic="false">
          {list("error")}
        </div>
      </section>
    );
  }, [toasts, dismiss, clock]);

  return (
    <ToastContext value={show}>
      {children}
      {host ? createPortal(region, host) : region}
    </ToastContext>
  );
}

interface ToastClock {
  /** Stops the time of a toast: the user is reading it or using it. */
  hold(key: number): void;
  /** Lets the remaining time of a toast run. */
  release(key: number): void;
}

/**
 * The time that each toast has left. It belongs to the toast and not to the element that shows it: the element is made
 * anew whenever a dialog opens or closes around it.
 */
function useToastClock(toasts: readonly Shown[], dismiss: (key: number) => void): ToastClock {
  const running = useRef(new Map<number, { left: number; since: number; timer?: ReturnType<typeof setTimeout> }>());
  const clock = useMemo<ToastClock>(
    () => ({
      hold(key) {
        const toast = running.current.get(key);
        if (!toast?.timer) return;
        clearTimeout(toast.timer);
        toast.timer = undefined;
        toast.left -= Date.now() - toast.since;
      },
      release(key) {
        const toast = running.current.get(key);
        if (!toast || toast.timer) return;
        toast.since = Date.now();
        toast.timer = setTimeout(() => dismiss(key), toast.left);
      },
    }),
    [dismiss],
  );
  useEffect(() => {
    const shown = new Set(toasts.map(({ key }) => key));
    for (const { key, tone } of toasts) {
      if (running.current.has(key)) continue;
      running.current.set(key, { left: tone === "error" ? ERROR_MS : SUCCESS_MS, since: Date.now() });
      clock.release(key);
    }
    for (const [key, { timer }] of running.current)
      if (!shown.has(key)) {
        clearTimeout(timer);
        running.current.delete(key);
      }
  }, [toasts, clock]);
  useEffect(() => {
    const all = running.current;
    return () => {
      for (const { timer } of all.values()) clearTimeout(timer);
      all.clear();
    };
  }, []);
  return clock;
}

/**
 * Where the toasts are shown, or null for their place in the page. What lies outside a modal dialog is inert and not read
 * out, so while one is open they are in it: above its row of buttons, where they cover neither title nor choices.
 */
function useToastHost(shown: number): Element | null {
  const [host, setHost] = useState<Element | null>(null);
  useEffect(() => {
    if (!shown) return;
    const look = () => {
      const dialog = Array.from(document.querySelectorAll("dialog:modal")).at(-1);
      // A small dialog leaves the top of the window free; there they would cover its title.
      setHost(dialog?.querySelector(".sheet:not(.sheet--small) .sheet__foot") ?? dialog ?? null);
    };
    look();
    // Not the events of dialogs: one that leaves the page with its component is heard of no more.
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["open"] });
    return () => observer.disconnect();
  }, [shown]);
  return host?.isConnected ? host : null;
}

function ToastCard({ toast, clock, onDismiss }: { toast: Shown; clock: ToastClock; onDismiss: () => void }) {
  const { key } = toast;
  // An element that goes while it is pointed at never reports that the pointer left.
  useEffect(() => () => clock.release(key), [clock, key]);

  const error = toast.tone === "error";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only keeps it in view
    <div
      className={error ? "toast toast--error" : "toast"}
      onMouseEnter={() => clock.hold(key)}
      onMouseLeave={(event) => {
        if (!event.currentTarget.contains(document.activeElement)) clock.release(key);
      }}
      onFocus={() => clock.hold(key)}
      onBlur={() => clock.release(key)}
    >
      {error ? <AlertIcon /> : <CheckIcon />}
      <p>
        <b>{toast.title}</b>
        {toast.description}
        {toast.link && (
          <Link to={toast.link.to} className="toast__link" onClick={onDismiss}>
            {toast.link.label}
          </Link>
        )}
      </p>
      <button type="button" className="icon-button" aria-label="Cerrar aviso" onClick={onDismiss}>
        <XIcon size="s" />
      </button>
    </div>
  );
}
