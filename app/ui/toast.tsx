import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Link } from "react-router";
import { AlertIcon, CheckIcon, XIcon } from "./icon.tsx";

export interface Toast {
  title: string;
  description?: string;
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

export interface ToastProviderProps {
  /** A toast that the server asks for; it is shown once per `id`, without JavaScript too. */
  flash?: (Toast & { id: string }) | null;
  children: ReactNode;
}

/** Holds the toasts of a page: at most three, read out by screen readers, gone after some seconds unless somebody points at them or is in them. */
export function ToastProvider({ flash, children }: ToastProviderProps) {
  const [toasts, setToasts] = useState<Shown[]>(() => (flash ? [{ ...flash, key: 0 }] : []));
  const nextKey = useRef(1);
  const host = useModalDialog(toasts.length);

  const show = useCallback((toast: Toast) => {
    const key = nextKey.current++;
    setToasts((all) => [...all, { ...toast, key }].slice(-MOST));
  }, []);
  const dismiss = useCallback((key: number) => setToasts((all) => all.filter((toast) => toast.key !== key)), []);

  const flashed = useRef(flash?.id);
  useEffect(() => {
    if (flash && flash.id !== flashed.current) show(flash);
    flashed.current = flash?.id;
  }, [flash, show]);

  // Under a toast nobody sees where the keyboard is. A pointer's focus stays where it is: what is pressed must not move away.
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
    const list = (tone: "success" | "error") =>
      toasts
        .filter((toast) => (toast.tone ?? "success") === tone)
        .map((toast) => <ToastCard key={toast.key} toast={toast} onDismiss={() => dismiss(toast.key)} />);
    return (
      <section className="toasts" aria-label="Avisos">
        <div role="status" aria-atomic="false">
          {list("success")}
        </div>
        <div role="alert" aria-atomic="false">
          {list("error")}
        </div>
      </section>
    );
  }, [toasts, dismiss]);

  return (
    <ToastContext value={show}>
      {children}
      {host ? createPortal(region, host) : region}
    </ToastContext>
  );
}

// What lies outside a modal dialog is inert and unheard, so while one is open the toasts live in it.
function useModalDialog(shown: number): Element | null {
  const [host, setHost] = useState<Element | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where a browser does not tell of an opening dialog, a new toast looks for it
  useEffect(() => {
    const look = () => setHost(Array.from(document.querySelectorAll("dialog:modal")).at(-1) ?? null);
    look();
    // Neither event bubbles.
    document.addEventListener("close", look, true);
    document.addEventListener("toggle", look, true);
    return () => {
      document.removeEventListener("close", look, true);
      document.removeEventListener("toggle", look, true);
    };
  }, [shown]);
  return host?.isConnected ? host : null;
}

function ToastCard({ toast, onDismiss }: { toast: Shown; onDismiss: () => void }) {
  const [held, setHeld] = useState(false);
  const left = useRef(toast.tone === "error" ? ERROR_MS : SUCCESS_MS);
  const dismiss = useRef(onDismiss);
  useEffect(() => {
    dismiss.current = onDismiss;
  });
  useEffect(() => {
    if (held) return;
    const began = Date.now();
    const timer = setTimeout(() => dismiss.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= Date.now() - began;
    };
  }, [held]);

  const error = toast.tone === "error";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only keeps it in view
    <div
      className={error ? "toast toast--err" : "toast"}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={(event) => setHeld(event.currentTarget.contains(document.activeElement))}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {error ? <AlertIcon /> : <CheckIcon />}
      <p>
        <b>{toast.title}</b>
        {toast.description}
        {toast.link && (
          <Link to={toast.link.to} className="block text-current" onClick={onDismiss}>
            {toast.link.label}
          </Link>
        )}
      </p>
      <button type="button" className="iconbtn" aria-label="Cerrar aviso" onClick={onDismiss}>
        <XIcon size="s" />
      </button>
    </div>
  );
}
