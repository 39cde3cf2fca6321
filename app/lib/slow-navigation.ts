import { useEffect, useState } from "react";
import { type Location, useNavigation } from "react-router";

/** Shorter waits show no skeleton, because it would only flicker. */
const SHOW_SKELETON_AFTER_MS = 150;

/** Returns the location that loads for more than 150 ms. @returns null before that and during a form submit */
export function useDelayedNavigation(): Location | null {
  const { state, location } = useNavigation();
  const loading = state === "loading" ? location : null;
  const [slow, setSlow] = useState<string | null>(null);
  const key = loading?.key;
  useEffect(() => {
    if (!key) return;
    const timer = setTimeout(() => setSlow(key), SHOW_SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return loading && slow === loading.key ? loading : null;
}
