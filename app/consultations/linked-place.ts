import { useEffect } from "react";
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
