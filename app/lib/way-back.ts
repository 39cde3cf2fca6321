import { type MouseEvent, useEffect, useState } from "react";
import { type Location, useNavigate } from "react-router";
import { inPage } from "./modified-click.ts";

const PLAIN = "/#consultas";
/** The list of consultations that was shown last in this tab, with its filters. */
let last = PLAIN;
/** Whether each place in the history shows a list of consultations, by the number that the router gives the place. */
const showsList: boolean[] = [];

const place = (): number => history.state?.idx ?? 0;

/** Remembers what the current place in the history shows. */
export function rememberPlace({ pathname, search }: Location): void {
  const isList = pathname === "/" && !search.includes("vista=ranking");
  showsList[place()] = isList;
  if (isList) last = `/${search}#consultas`;
}

/**
 * The way back to the list of consultations with its filters. It goes back in the history if the list is the place before,
 * so that added pages and the scroll position are there too.
 */
export function useWayBackToFeed() {
  const navigate = useNavigate();
  // The server knows of no list; what it rendered must not change before the page is hydrated.
  const [to, setTo] = useState(PLAIN);
  useEffect(() => setTo(last), []);
  const goBack = inPage<MouseEvent>(() => navigate(-1));
  return { to, onClick: (event: MouseEvent) => void (showsList[place() - 1] && goBack(event)) };
}
