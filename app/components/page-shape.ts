import type { Location } from "react-router";

export type PageShape = "cover" | "feed" | "ranking" | "thread" | "person" | "own" | "admin" | "page";

/** Paths with a special layout. All others are a title and a panel. */
const PLACES: readonly [RegExp, PageShape][] = [
  [/^\/consulta\/[^/]+$/, "thread"],
  [/^\/psicologo\/[^/]+$/, "person"],
  [/^\/perfil$/, "own"],
  [/^\/admin(\/\w+)?$/, "admin"],
];

/** @param cover true if the unfiltered feed has the hero above it */
export function shapeOf({ pathname, search }: Location, cover: boolean): PageShape {
  if (pathname === "/") return /vista=ranking/.test(search) ? "ranking" : cover && !search ? "cover" : "feed";
  return PLACES.find(([address]) => address.test(pathname))?.[1] ?? "page";
}
