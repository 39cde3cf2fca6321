import { useEffect } from "react";
import { href, useLocation, useNavigate } from "react-router";
import { ID_PATTERN } from "#shared/ids.ts";

const PLACE = new RegExp(`^#(respuesta|comentario)-(${ID_PATTERN})$`);

/**
 * An address may name an answer or a reply that is on a later page: then the page is asked for that begins with it. Without
 * JavaScript the links that we make say so by themselves.
 */
export function useLinkedPlace(id: string): void {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const [, kind, item] = PLACE.exec(hash) ?? [];
    if (!kind || !item || document.getElementById(hash.slice(1)) || search.includes(item)) return;
    navigate(`${href("/consulta/:id", { id })}?${new URLSearchParams({ [kind]: item })}${hash}`, { replace: true });
  }, [hash, search, id, navigate]);
}
