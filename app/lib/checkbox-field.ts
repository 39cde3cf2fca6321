const TICKED = "on";

/** Whether a field of a form is a ticked checkbox: a form sends "on" for it, and nothing for another one. */
export const isTicked = (value: string | undefined): boolean => value === TICKED;

/** What stands for a checkbox among the values of a form. */
export const checkboxValue = (ticked: boolean): string => (ticked ? TICKED : "");
