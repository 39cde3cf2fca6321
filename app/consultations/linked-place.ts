import { useEffect } from "react";
import { href, useLocation, useNavigate } from "react-router";
import { ID_PATTERN } from "#shared/ids.ts";

const PLACE = new RegExp(`^#(?:votar-)?(respuesta|comentario)-(${ID_PATTERN})$`);

/**
 * Loads the page with the linked answer or reply if it is on a later page of the list. Without JavaScript our own links
 * contain the query parameter.
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
