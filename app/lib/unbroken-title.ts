/** A name whose professional title does not stand alone at the end of a line: "Dr. Ana Paz". */
export const unbrokenTitle = (name: string) => name.replace(/^(\S+\.) /, "$1\u00a0");
