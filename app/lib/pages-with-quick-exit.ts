/** Pages where people may read or write about violence at home (specification, section 2.12); no lists at `/`. */
const QUICK_EXIT =
  /^\/(?:ayuda|buscar|nueva-consulta|perfil|notificaciones|consulta|respuesta|comentario|psicologo|temas)(?:\/|$)/;

export const offersQuickExit = (pathname: string) => QUICK_EXIT.test(pathname);
