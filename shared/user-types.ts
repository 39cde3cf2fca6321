/** The kinds of accounts; the admin has one of them too. No zod here: pages use it. */
export const USER_TYPES = ["user", "psychologist"] as const;
export type UserType = (typeof USER_TYPES)[number];
