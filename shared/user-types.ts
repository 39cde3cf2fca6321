/** User types of accounts; the administrator has one of them too. Imports no zod, because pages use it. */
export const USER_TYPES = ["user", "psychologist"] as const;
export type UserType = (typeof USER_TYPES)[number];
