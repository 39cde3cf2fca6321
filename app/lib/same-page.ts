/** The sections of the administration are one page. */
export const samePage = (one: string, other: string): boolean =>
  one === other || /^(\/admin(\/\w+)?){2}$/.test(one + other);
