/**
 * The beginnings of addresses where people may be reading or writing about violence at home: the help lines, and all that
 * the community writes. The lists at `/` are left out.
 */
const QUICK_EXIT = /^\/(?:ayuda|nueva-consulta|perfil|consulta|respuesta|comentario|psicologo)(?:\/|$)/;

/** Whether the page of a path offers the quick exit (specification, section 2.12). */
export const offersQuickExit = (pathname: string) => QUICK_EXIT.test(pathname);
