/** Returns a text in lower case without accents. */
export const withoutAccents = (text: string) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
