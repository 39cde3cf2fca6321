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
import { claimDrafts, clearDrafts } from "#app/lib/drafts.ts";
import type { ViewerView } from "#shared/sign-in.ts";
import { type AuthEvent, eventsBetween, type SessionState } from "./auth-events.ts";

type Auth = {
  viewer: ViewerView | null;
  /** Call it when the user signs out here: drafts are deleted, in the other tabs too. */
  signingOut(): void;
  /** Call it before and after a password is recovered here: sessions may have ended. */
  recovering(): void;
};

/** A message to the other tabs: what happened, who is signed in since (as JSON) and until when, so that none repeats it. */
type TabMessage = { event: AuthEvent | "SIGNING_OUT"; viewer?: string; endsAt?: string | null };

const AuthContext = createContext<Auth | null>(null);

// Specification, section 9: looked at every 30 s, renewed from 90 s before the end; what fails for a moment is tried again
// after 200 ms, then after twice as long each time, for 30 s. The next look begins anew.
const CHECK_MS = 30_000;
const RENEW_BEFORE_MS = 90_000;

/** Fetched with the first session: a visitor's browser has none to keep. */
const fetchRenewal = () => import("./renewal.ts");

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
  const previous = useRef<SessionState>(null);
  /** The last message of another tab: all tabs had it. */
  const received = useRef<Omit<TabMessage, "event">>({});
  /** The session as another tab has renewed it. */
  const [renewed, setRenewed] = useState<SessionState | null>(null);
  const refresh = useRef(revalidate);
  useEffect(() => {
    refresh.current = revalidate;
  });

  // Before the effects of any page, which may have something to tell.
  useLayoutEffect(() => {
    const opened = new BroadcastChannel("auth");
    channel.current = opened;
    opened.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      // Asking at once would be too early, and could take the notice that the other tab is about to show; "SIGNED_OUT" follows.
      if (data.event === "SIGNING_OUT") return clearDrafts();
      if (data.event !== "PASSWORD_RECOVERY") received.current = data;
      if (data.event === "TOKEN_REFRESHED")
        setRenewed({ viewer: previous.current?.viewer ?? null, endsAt: data.endsAt ?? null });
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

  // Before the effects of any form, which would otherwise show another user's draft to the one who has just signed in.
  useLayoutEffect(() => {
    if (viewer?.id) claimDrafts(viewer.id);
  }, [viewer?.id]);

  // Tells the other tabs what happened to the session here, whatever the cause.
  useEffect(() => {
    const events = eventsBetween(previous.current, { viewer, endsAt });
    previous.current = { viewer, endsAt };
    if (!events.length) return;
    const who = JSON.stringify(viewer);
    const known = { viewer: who === received.current.viewer, endsAt: endsAt === received.current.endsAt };
    if (!known.viewer) received.current = {};
    for (const event of events)
      if (event === "TOKEN_REFRESHED" ? !known.endsAt : event !== "INITIAL_SESSION" && !known.viewer)
        channel.current?.postMessage({ event, viewer: who, endsAt } satisfies TabMessage);
  }, [viewer, endsAt]);

  // Another tab may have renewed the session that this one holds too.
  const end =
    endsAt && renewed?.endsAt && renewed.viewer?.id === viewer?.id && renewed.endsAt > endsAt ? renewed.endsAt : endsAt;
  useEffect(() => {
    if (!end) return;
    const stop = new AbortController();
    let renewing = false;
    fetchRenewal().then(
      ({ guardPage }) => guardPage(refresh, stop.signal),
      () => {},
    );
    const timer = setInterval(async () => {
      if (renewing || Date.parse(end) - Date.now() > RENEW_BEFORE_MS) return;
      renewing = true;
      // Without a network there is no code to fetch either: the next look tries again.
      const answered = await fetchRenewal().then(
        ({ renew }) => renew(stop.signal),
        () => false,
      );
      renewing = false;
      if (answered && !stop.signal.aborted) void refresh.current();
    }, CHECK_MS);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [end]);

  // The same functions at every rendering: effects depend on them.
  const [announcements] = useState<Omit<Auth, "viewer">>(() => {
    const announce = (event: TabMessage["event"]) => channel.current?.postMessage({ event } satisfies TabMessage);
    return {
      signingOut() {
        clearDrafts();
        // What follows is another document, which knows of no one who was signed in: this one tells the other tabs as it goes.
        addEventListener("pagehide", () => announce("SIGNED_OUT"), { once: true });
        announce("SIGNING_OUT");
      },
      recovering: () => announce("PASSWORD_RECOVERY"),
    };
  });
  const auth = useMemo<Auth>(() => ({ viewer, ...announcements }), [viewer, announcements]);
  return <AuthContext value={auth}>{children}</AuthContext>;
}

/** Who is signed in, and how a page announces what is about to change that. @throws Error outside an `AuthProvider` */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}
