import { PRODUCT_NAME } from "#shared/product.ts";
import type { MailContent } from "../mail/layout.tsx";

/** Asks to confirm a registration. It has no name in the greeting: the name was chosen by who typed the address. */
export const confirmRegistrationMail = (url: string): MailContent => ({
  subject: `Confirma tu correo en ${PRODUCT_NAME}`,
  paragraphs: [
    "Hola:",
    `Alguien, esperamos que tú, ha registrado esta dirección en ${PRODUCT_NAME}. Para terminar el registro, confírmala:`,
  ],
  action: { label: "Confirmar mi correo", url },
  footnote:
    "El enlace sirve durante 24 horas. Si no fuiste tú, no hagas nada: sin esta confirmación no existe ninguna cuenta.",
});

/** Notifies the owner of an address that it has an account already. */
export const addressTakenMail = (person: { full_name: string }, signInUrl: string): MailContent => ({
  subject: `Ya tienes una cuenta en ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    `Alguien ha intentado registrar esta dirección en ${PRODUCT_NAME}, pero ya tienes una cuenta con ella. Si fuiste tú, entra con tu contraseña; si no la recuerdas, ahí mismo puedes pedir una nueva.`,
  ],
  action: { label: "Iniciar sesión", url: signInUrl },
  footnote: "Si no fuiste tú, no hagas nada: nadie ha entrado en tu cuenta.",
});

/** Has the link to the page where a new password is chosen. */
export const recoverPasswordMail = (person: { full_name: string }, url: string): MailContent => ({
  subject: `Elige una contraseña nueva en ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    "Hemos recibido la solicitud de cambiar tu contraseña. Para elegir una nueva:",
  ],
  action: { label: "Elegir una contraseña nueva", url },
  footnote:
    "El enlace sirve una sola vez, durante 60 minutos. Si no lo has pedido, no hagas nada: tu contraseña sigue siendo la misma.",
});

/** Says that sign-in is paused for unknown devices, and lets the owner make a browser known. */
export const signInPausedMail = (person: { full_name: string }, url: string): MailContent => ({
  subject: `Muchos intentos de entrar en tu cuenta de ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    "Desde navegadores que tu cuenta no conoce se ha intentado entrar demasiadas veces. Por eso, durante un rato, desde ellos no se puede. Donde ya has entrado alguna vez puedes entrar como siempre.",
    "Si eres tú y quieres entrar desde un navegador nuevo, abre este enlace en él:",
  ],
  action: { label: "Entrar desde este navegador", url },
  footnote:
    "El enlace sirve una sola vez, durante 24 horas, y por sí solo no deja entrar a nadie: tu contraseña hace falta igual. Si no fuiste tú, no hagas nada: nadie ha entrado en tu cuenta. Te lo decimos como máximo una vez al día.",
});

/** Notifies that the password was changed. */
export const passwordChangedMail = (person: { full_name: string }, recoveryUrl: string): MailContent => ({
  subject: `Tu contraseña de ${PRODUCT_NAME} ha cambiado`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    "Tu contraseña acaba de cambiar y hemos cerrado la sesión en tus otros dispositivos. Si fuiste tú, no hace falta nada más.",
  ],
  action: { label: "No fui yo: recuperar mi cuenta", url: recoveryUrl },
});

/** Asks the owner of the new address to confirm it. It has no name in it: the address may have been mistyped. */
export const confirmEmailChangeMail = (url: string): MailContent => ({
  subject: `Confirma tu nuevo correo en ${PRODUCT_NAME}`,
  paragraphs: ["Hola:", `Alguien, esperamos que tú, quiere usar esta dirección en su cuenta de ${PRODUCT_NAME}.`],
  action: { label: "Confirmar este correo", url },
  footnote: "El enlace sirve una sola vez, durante 24 horas. Si no fuiste tú, no hagas nada: no cambia nada.",
});

/** Notifies the owner of an address that another account tried to use it. */
export const newAddressTakenMail = (person: { full_name: string }, signInUrl: string): MailContent => ({
  subject: `Ya tienes una cuenta en ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    `Alguien ha querido usar esta dirección en otra cuenta de ${PRODUCT_NAME}, pero ya es la de la tuya. Si fuiste tú, entra con esta dirección, o cambia antes el correo de esta cuenta.`,
  ],
  action: { label: "Iniciar sesión", url: signInUrl },
  footnote: "Si no fuiste tú, no hagas nada: nadie ha entrado en tu cuenta.",
});

/** Notifies the old address of the change, with a link that reverts it. */
export const emailChangedMail = (person: { full_name: string; new_email: string }, undoUrl: string): MailContent => ({
  subject: `El correo de tu cuenta de ${PRODUCT_NAME} ha cambiado`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    `Desde ahora tu cuenta usa ${person.new_email} y no te escribiremos más a esta dirección. Si fuiste tú, no hace falta nada más.`,
  ],
  action: { label: "No fui yo: volver a este correo", url: undoUrl },
  footnote:
    "El enlace sirve durante 7 días. Devuelve la cuenta a esta dirección, cierra todas las sesiones y te pide una contraseña nueva.",
});
