import { useEffect, useState } from "react";

const PLAIN = "/#consultas";
/** The list that was shown last in this tab, with its filters. */
let last = PLAIN;

/** Remembers the address of the list of consultations that is on screen. */
export function useRememberedFeed(search: string): void {
  useEffect(() => {
    last = `/${search}#consultas`;
  }, [search]);
}

/** The way back to the list of consultations as it was left: country, category and order included. */
export function useFeedAddress(): string {
  // The server knows of no list; what it rendered must not change before the page is hydrated.
  const [address, setAddress] = useState(PLAIN);
  useEffect(() => setAddress(last), []);
  return address;
}
