import { useEffect, useState } from "react";
import type { TitleView } from "#shared/search.ts";
import type { Written } from "./card-preview.tsx";
import { RelatedConsultations } from "./related-consultations.tsx";
import "./related-consultations.css";

/** Time without a key after which similar consultations are requested, in milliseconds. */
const PAUSE_MS = 800;
/** Shorter titles say too little. */
const MIN_LETTERS = 8;

/** Published consultations similar to the typed one. Shows nothing after an error, because the form does not need it. */
export function SimilarConsultations({ title, content }: Pick<Written, "title" | "content">) {
  const [found, setFound] = useState<TitleView[]>([]);
  const enough = title.length >= MIN_LETTERS;
  useEffect(() => {
    if (!enough) return;
    const stop = new AbortController();
    const ask = async () => {
      const response = await fetch("/api/search/similar", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ title, content }),
        signal: stop.signal,
      });
      if (response.ok) setFound(await response.json());
    };
    const timer = setTimeout(() => ask().catch(() => {}), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [enough, title, content]);
  if (!enough || found.length === 0) return null;
  return <RelatedConsultations title="Consultas parecidas" consultations={found} newTab />;
}
