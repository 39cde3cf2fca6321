/** True if the checkbox is ticked. A form sends "on" for a ticked checkbox and omits the others. */
export const isChecked = (value: string | undefined): boolean => value === "on";

export const checkboxValue = (ticked: boolean): string => (ticked ? "on" : "");
