import { useEffect, useState } from "react";
import { type Location, useNavigation } from "react-router";

/** A shorter wait is not noticed, and a skeleton would only flicker. */
const NOTICED_MS = 150;

/** The place that is being loaded, once that takes long enough to be noticed; null before, and while a form is on its way. */
export function useSlowNavigation(): Location | null {
  const { state, location } = useNavigation();
  const loading = state === "loading" ? location : null;
  const [slow, setSlow] = useState<string | null>(null);
  const key = loading?.key;
  useEffect(() => {
    if (!key) return;
    const timer = setTimeout(() => setSlow(key), NOTICED_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return loading && slow === loading.key ? loading : null;
}
