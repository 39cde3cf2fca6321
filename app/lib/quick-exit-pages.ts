/**
 * Paths of pages where people may read or write about violence at home: the help lines, the pages of topics and all texts
 * of the community. The lists at `/` are excluded.
 */
const QUICK_EXIT = /^\/(?:ayuda|nueva-consulta|perfil|consulta|respuesta|comentario|psicologo|temas)(?:\/|$)/;

/** True if the page offers the quick exit (specification, section 2.12). */
export const offersQuickExit = (pathname: string) => QUICK_EXIT.test(pathname);
