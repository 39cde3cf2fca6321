/**
 * Lists the errors of a form's fields with their labels, for `FormMessage`.
 * @param labels label by field name
 * @param idPrefix prefix of the control ids
 */
export const labelledErrors = (
  fields: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
  idPrefix: string,
) =>
  Object.entries(fields).map(([name, message]) => ({
    field: `${idPrefix}${name}`,
    message: `${labels[name] ?? "Formulario"}: ${message}`,
  }));
