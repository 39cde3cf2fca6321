export const withoutAccents = (text: string) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
