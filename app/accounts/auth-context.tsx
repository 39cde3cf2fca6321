import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { useRevalidator } from "react-router";
import { claimDrafts, clearDrafts } from "#app/lib/drafts.ts";
import type { ViewerView } from "#shared/accounts.ts";

type Auth = {
  viewer: ViewerView | null /** Call it when the person signs out here: drafts go, in the other tabs too. */;
  signingOut(): void;
};

const AuthContext = createContext<Auth | null>(null);

// Specification, section 9: looked at every 30 s, renewed from 90 s before the end; what fails in passing is tried again
// after 200 ms, then after twice as long each time, for 30 s. The next look begins anew.
const CHECK_MS = 30_000;
const RENEW_BEFORE_MS = 90_000;
const FIRST_RETRY_MS = 200;
const RETRY_WINDOW_MS = 30_000;
const PASSING = new Set([502, 503, 504]);

/** Asks the server to keep the session. False where no answer came in time, which signs nobody out. */
async function renew(signal: AbortSignal): Promise<boolean> {
  const end = Date.now() + RETRY_WINDOW_MS;
  for (let wait = FIRST_RETRY_MS; ; wait *= 2) {
    try {
      const response = await fetch("/api/session/renewal", {
        method: "POST",
        signal,
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      if (!PASSING.has(response.status)) return true;
    } catch {
      if (signal.aborted) return false;
    }
    if (Date.now() + wait > end) return false;
    await new Promise((go) => setTimeout(go, wait));
  }
}

/** Knows who is signed in, in every tab: a change anywhere makes each tab ask the server again. */
export function AuthProvider({
  viewer,
  endsAt,
  children,
}: {
  viewer: ViewerView | null;
  /** When the session ends unless it is renewed. */
  endsAt: string | null;
  children: ReactNode;
}) {
  const { revalidate } = useRevalidator();
  const channel = useRef<BroadcastChannel>(null);
  const known = useRef(viewer?.id ?? null);
  const refresh = useRef(revalidate);
  useEffect(() => {
    refresh.current = revalidate;
  });

  useEffect(() => {
    const opened = new BroadcastChannel("auth");
    channel.current = opened;
    opened.onmessage = ({ data }) => {
      // Asking at once would be too early, and could take the notice that the other tab is about to show; "changed" follows.
      if (data === "signed-out") clearDrafts();
      else void refresh.current();
    };
    const look = () => {
      if (document.visibilityState === "visible") void refresh.current();
    };
    document.addEventListener("visibilitychange", look);
    return () => {
      opened.close();
      document.removeEventListener("visibilitychange", look);
    };
  }, []);

  // Before the effects of any form, which would otherwise show somebody else's draft to whoever has just signed in.
  useLayoutEffect(() => {
    if (viewer?.id) claimDrafts(viewer.id);
  }, [viewer?.id]);

  // Whoever signed in or out here shows it in the other tabs, however it came about.
  useEffect(() => {
    const id = viewer?.id ?? null;
    if (id !== known.current) channel.current?.postMessage("changed");
    known.current = id;
  }, [viewer?.id]);

  useEffect(() => {
    if (!endsAt) return;
    const stop = new AbortController();
    let renewing = false;
    const timer = setInterval(async () => {
      if (renewing || Date.parse(endsAt) - Date.now() > RENEW_BEFORE_MS) return;
      renewing = true;
      const answered = await renew(stop.signal);
      renewing = false;
      if (answered && !stop.signal.aborted) void refresh.current();
    }, CHECK_MS);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [endsAt]);

  const auth = useMemo<Auth>(
    () => ({
      viewer,
      signingOut() {
        clearDrafts();
        channel.current?.postMessage("signed-out");
      },
    }),
    [viewer],
  );
  return <AuthContext value={auth}>{children}</AuthContext>;
}

/** The signed-in person, or null. @throws Error outside its provider: a mistake of a programmer */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}
