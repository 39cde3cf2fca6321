import { useEffect } from "react";
import { href, useLocation, useNavigate } from "react-router";
import { UUID_PATTERN } from "#shared/ids.ts";

const PLACE = new RegExp(`^#(?:respuestas|(?:votar-)?(respuesta|comentario)-(${UUID_PATTERN}))$`);

/**
 * Focuses the linked answer or reply, and loads its page if it is on a later page of the list. Without JavaScript our own
 * links contain the query parameter. Focuses the title of the answers if the link names it.
 */
export function useLinkedItem(id: string): void {
  const location = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const { hash, search } = location;
    const linked = PLACE.exec(hash);
    if (!linked) return;
    const place = document.getElementById(hash.slice(1));
    place?.focus({ preventScroll: true });
    const [, kind, item] = linked;
    if (place || !kind || !item || search.includes(item)) return;
    navigate(`${href("/consulta/:id", { id })}?${new URLSearchParams({ [kind]: item })}${hash}`, { replace: true });
  }, [location, id, navigate]);
}
