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
import { type AuthEvent, eventsBetween, type Known } from "./auth-events.ts";

type Auth = {
  viewer: ViewerView | null;
  /** Call it when the user signs out here: drafts are deleted, in the other tabs too. */
  signingOut(): void;
  /** Call it before and after a password is recovered here: sessions may have ended. */
  recovering(): void;
};

/** What tabs tell each other: what happened, and who was signed in afterwards and until when, so that it is not told again. */
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
  const known = useRef<Known>(null);
  /** What another tab said last of who is signed in and until when: the others know. */
  const told = useRef<Omit<TabMessage, "event">>({});
  const [later, setLater] = useState<Known | null>(null);
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
      if (data.event !== "PASSWORD_RECOVERY") told.current = data;
      if (data.event === "TOKEN_REFRESHED")
        setLater({ viewer: known.current?.viewer ?? null, endsAt: data.endsAt ?? null });
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

  // What happened here shows in the other tabs, however it came about.
  useEffect(() => {
    const events = eventsBetween(known.current, { viewer, endsAt });
    known.current = { viewer, endsAt };
    if (!events.length) return;
    const who = JSON.stringify(viewer);
    const heard = { viewer: who === told.current.viewer, endsAt: endsAt === told.current.endsAt };
    if (!heard.viewer) told.current = {};
    for (const event of events)
      if (event === "TOKEN_REFRESHED" ? !heard.endsAt : event !== "INITIAL_SESSION" && !heard.viewer)
        channel.current?.postMessage({ event, viewer: who, endsAt } satisfies TabMessage);
  }, [viewer, endsAt]);

  // Another tab may have renewed the session that this one holds too.
  const end =
    endsAt && later?.endsAt && later.viewer?.id === viewer?.id && later.endsAt > endsAt ? later.endsAt : endsAt;
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

  // The same ones as long as the page lives: effects depend on them.
  const [tells] = useState<Omit<Auth, "viewer">>(() => {
    const tell = (event: TabMessage["event"]) => channel.current?.postMessage({ event } satisfies TabMessage);
    return {
      signingOut() {
        clearDrafts();
        // What follows is another document, in which no one ever was signed in: this one tells the other tabs as it goes.
        addEventListener("pagehide", () => tell("SIGNED_OUT"), { once: true });
        tell("SIGNING_OUT");
      },
      recovering: () => tell("PASSWORD_RECOVERY"),
    };
  });
  const auth = useMemo<Auth>(() => ({ viewer, ...tells }), [viewer, tells]);
  return <AuthContext value={auth}>{children}</AuthContext>;
}

/** The signed-in person, or null. @throws Error outside its provider: a mistake of a programmer */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}
