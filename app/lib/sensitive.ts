/** Where somebody may be reading or writing about violence at home. */
const SENSITIVE = /^\/(?:ayuda|nueva-consulta|perfil|(?:consulta|respuesta|comentario)\/.+)\/?$/;

/** Whether the page of a path offers the quick exit (specification, section 2.12). */
export const isSensitive = (pathname: string) => SENSITIVE.test(pathname);
