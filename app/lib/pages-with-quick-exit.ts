/**
 * Paths of pages where people may read or write about violence at home: the help lines, the search, the pages of topics,
 * notifications and all texts of the community. The lists at `/` are excluded.
 */
const QUICK_EXIT =
  /^\/(?:ayuda|buscar|nueva-consulta|perfil|notificaciones|consulta|respuesta|comentario|psicologo|temas)(?:\/|$)/;

/** True if the page offers the quick exit (specification, section 2.12). */
export const offersQuickExit = (pathname: string) => QUICK_EXIT.test(pathname);
