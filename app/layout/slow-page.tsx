import { type ReactNode, useEffect } from "react";
import { type Location, useLocation } from "react-router";
import { useSlowNavigation } from "#app/lib/slow-navigation.ts";
import type { PageShape } from "#app/parts/skeleton.tsx";
import { fetchSkeletons, Waiting } from "#app/parts/waiting.tsx";

/** Addresses whose pages have a layout of their own; the others are a title and a panel. */
const SHAPES: readonly [RegExp, PageShape][] = [
  [/^\/consulta\/[^/]+$/, "thread"],
  [/^\/psicologo\/[^/]+$/, "person"],
  [/^\/perfil$/, "own"],
  [/^\/admin$/, "admin"],
];

function shapeOf({ pathname, search }: Location): PageShape {
  if (pathname === "/") return new URLSearchParams(search).get("vista") === "ranking" ? "ranking" : "feed";
  return SHAPES.find(([address]) => address.test(pathname))?.[1] ?? "page";
}

/** The page, or the skeleton of the one that is coming, once that takes a while. A list that changes within its page has a skeleton of its own. */
export function SlowPage({ children }: { children: ReactNode }) {
  const slow = useSlowNavigation();
  const { pathname } = useLocation();
  // A press that begins may soon be followed by waiting.
  useEffect(() => {
    const begin = () => void fetchSkeletons();
    addEventListener("pointerdown", begin, { once: true, passive: true });
    addEventListener("keydown", begin, { once: true, passive: true });
    return () => {
      removeEventListener("pointerdown", begin);
      removeEventListener("keydown", begin);
    };
  }, []);
  return (
    <Waiting
      on={slow !== null && slow.pathname !== pathname}
      skeleton={({ SkeletonPage }) => slow && <SkeletonPage key={slow.key} shape={shapeOf(slow)} />}
    >
      {children}
    </Waiting>
  );
}
