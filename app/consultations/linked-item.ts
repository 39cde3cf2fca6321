import { useEffect } from "react";
import { href, useLocation, useNavigate } from "react-router";
import { UUID_PATTERN } from "#shared/ids.ts";

const PLACE = new RegExp(`^#(?:votar-)?(respuesta|comentario)-(${UUID_PATTERN})$`);

/**
 * Focuses the linked answer or reply, and loads its page if it is on a later page of the list. Without JavaScript our own
 * links contain the query parameter.
 */
export function useLinkedItem(id: string): void {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const [, kind, item] = PLACE.exec(hash) ?? [];
    if (!kind || !item) return;
    const place = document.getElementById(hash.slice(1));
    place?.focus({ preventScroll: true });
    if (place || search.includes(item)) return;
    navigate(`${href("/consulta/:id", { id })}?${new URLSearchParams({ [kind]: item })}${hash}`, { replace: true });
  }, [hash, search, id, navigate]);
}
