import { useEffect, useRef } from "react";
import { href, useLocation, useNavigate } from "react-router";

/**
 * An address may name an answer or a reply that is on a later page: then the page is asked for that begins with it. Without
 * JavaScript the links that we make say so by themselves.
 */
export function useLinkedPlace(id: string): void {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const [, kind, item] = /^#(respuesta|comentario)-([\da-f-]{36})$/.exec(hash) ?? [];
    if (!kind || !item || document.getElementById(hash.slice(1)) || search.includes(item)) return;
    navigate(`${href("/consulta/:id", { id })}?${new URLSearchParams({ [kind]: item })}${hash}`, { replace: true });
  }, [hash, search, id, navigate]);
}

/** The keys of replies that were being written to answers which were on the page and are there no more. */
export function useOrphanedReplies(answers: readonly { id: string }[], isWhole: boolean): string[] {
  const seen = useRef(new Set<string>());
  useEffect(() => {
    for (const { id } of answers) seen.current.add(id);
  }, [answers]);
  // In a part of the list an answer may be missing for standing in another one.
  if (!isWhole) return [];
  return [...seen.current].filter((id) => !answers.some((answer) => answer.id === id)).map((id) => `reply:${id}`);
}
