import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useRevalidator } from "react-router";
import type { ViewerView } from "#shared/sign-in.ts";
import { claimDrafts, clearDrafts } from "./drafts.ts";
import { dataRouter } from "./network-errors.ts";

type Auth = {
  viewer: ViewerView | null;
  /** Call on the submit of a form that signs the user out. If it succeeds, deletes the drafts in all tabs. */
  signingOut(): void;
};

type SessionState = { viewer: ViewerView | null; endsAt: string | null };
type TabMessage = SessionState & { signedOut?: boolean };

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const AuthContext = createContext<Auth | null>(null);

/**
 * Returns the signed-in user and the function that announces a sign-out.
 * @throws Error outside an `AuthProvider`
 */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}

// Specification, section 4.1: checks every 30 s and renews from 90 s before expiry. Retries a transient failure after
// 200 ms and doubles the delay, for 30 s. The next check starts over.
const CHECK_MS = 30_000;
const RENEW_BEFORE_MS = 90_000;

/** Loaded with the first session, because visitors do not need it. */
const fetchRenewal = () => import("./renewal.ts");

/** True if the page shows the response to a form, such as recovery codes. The router drops it if the data reloads. */
const showsResponse = (): boolean => dataRouter().state.actionData !== null;

export function AuthProvider({ viewer, endsAt, children }: SessionState & { children: ReactNode }) {
  const { revalidate } = useRevalidator();
  const channel = useRef<BroadcastChannel>(null);
  const own = useRef<SessionState>(null);
  /** Last session that all tabs know. A tab does not repeat a message. */
  const known = useRef<SessionState>(null);
  const [renewed, setRenewed] = useState<SessionState | null>(null);

  // Runs before the effects of pages, which may send messages.
  useLayoutEffect(() => {
    // Safari before 15.4 has none. Its tabs load the session when they become visible.
    const opened = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("auth");
    channel.current = opened;
    const receive = ({ data }: MessageEvent<TabMessage>) => {
      const { viewer, endsAt, signedOut } = data;
      if (signedOut) clearDrafts();
      known.current = { viewer, endsAt };
      if (isSame(viewer, own.current?.viewer)) setRenewed(data);
      else if (viewer?.id !== own.current?.viewer?.id || !showsResponse()) void revalidate();
    };
    opened?.addEventListener("message", receive);
    const look = () => {
      if (document.visibilityState === "visible" && !showsResponse()) void revalidate();
    };
    document.addEventListener("visibilitychange", look);
    return () => {
      opened?.close();
      document.removeEventListener("visibilitychange", look);
    };
  }, [revalidate]);

  /** The user whose texts may still be in this document. */
  const lastViewer = useRef<string>(null);
  // Runs before the effects of forms, which would otherwise show another user's draft.
  useLayoutEffect(() => {
    if (!viewer?.id) return;
    claimDrafts(viewer.id);
    if (lastViewer.current && lastViewer.current !== viewer.id) location.reload();
    lastViewer.current = viewer.id;
  }, [viewer?.id]);

  useEffect(() => {
    const now = { viewer, endsAt };
    if (own.current && !isSame(own.current, now) && !isSame(known.current, now)) channel.current?.postMessage(now);
    own.current = now;
    known.current = now;
  }, [viewer, endsAt]);

  // Another tab may have renewed the same session.
  const end =
    endsAt && renewed?.endsAt && renewed.viewer?.id === viewer?.id && renewed.endsAt > endsAt ? renewed.endsAt : endsAt;
  useEffect(() => {
    if (!end) return;
    const stop = new AbortController();
    let renewing = false;
    fetchRenewal()
      .then(({ purgeOnSessionEnd }) => purgeOnSessionEnd(revalidate, stop.signal))
      .catch(() => {});
    const timer = setInterval(async () => {
      if (renewing || Date.parse(end) - Date.now() > RENEW_BEFORE_MS) return;
      renewing = true;
      // Offline, the code cannot load either. The next check retries.
      const answered = await fetchRenewal()
        .then(({ requestSessionRenewal }) => requestSessionRenewal(stop.signal))
        .catch(() => false);
      renewing = false;
      // While a response is shown, the new expiry stays unread, so each check renews again.
      if (answered && !stop.signal.aborted && !showsResponse()) void revalidate();
    }, CHECK_MS);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [end, revalidate]);

  const signOut = useRef<AbortController>(null);

  const auth = useMemo<Auth>(
    () => ({
      viewer,
      signingOut() {
        signOut.current?.abort();
        const attempt = new AbortController();
        signOut.current = attempt;
        // The next document does not know that a user signed out, so this one notifies the other tabs when it unloads.
        const leave = () => {
          clearDrafts();
          channel.current?.postMessage({ viewer: null, endsAt: null, signedOut: true } satisfies TabMessage);
        };
        addEventListener("pagehide", leave, { once: true, signal: attempt.signal });
        // A successful sign-out loads another document. The navigation ends here only if it failed. Not `useNavigation`:
        // React skips the states of an attempt without a network, which ends immediately.
        const stop = dataRouter().subscribe(({ navigation }) => navigation.state === "idle" && attempt.abort());
        attempt.signal.addEventListener("abort", stop);
      },
    }),
    [viewer],
  );
  return <AuthContext value={auth}>{children}</AuthContext>;
}
