/** Prevents a line break after a professional title: "Dr. Ana Paz". */
export const unbrokenTitle = (name: string) => name.replace(/^(\S+\.) /, "$1\u00a0");
