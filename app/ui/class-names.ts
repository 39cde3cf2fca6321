/** Joins the class names that are there; the others (false, null, undefined, "") are left out. */
export function classNames(...names: (string | false | null | undefined)[]): string | undefined {
  return names.filter(Boolean).join(" ") || undefined;
}
