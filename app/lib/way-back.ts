import type { MouseEvent } from "react";
import { type Location, useNavigate } from "react-router";
import { useHydrated } from "./hydrated.ts";
import { handleInPage } from "./modified-click.ts";

const PLAIN = "/#consultas";
let last = PLAIN;
/** By history index: true if the entry shows a list of consultations. */
const showsList: boolean[] = [];

const place = (): number => history.state?.idx ?? 0;

/** Records the current history entry. */
export function rememberPlace({ pathname, search }: Location): void {
  const isList = pathname === "/" && !search.includes("vista=ranking");
  showsList[place()] = isList;
  if (isList) last = `/${search}#consultas`;
}

/** Uses Back if the previous entry is the list, so that added pages and the scroll position are restored. */
export function useWayBackToFeed() {
  const navigate = useNavigate();
  // The server does not know the last list.
  const to = useHydrated() ? last : PLAIN;
  const goBack = handleInPage<MouseEvent>(() => navigate(-1));
  return { to, onClick: (event: MouseEvent) => void (showsList[place() - 1] && goBack(event)) };
}
