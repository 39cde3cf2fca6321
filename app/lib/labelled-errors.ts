/**
 * What is wrong with the fields of a form, each after its label, for the list of a `FormMessage`.
 * @param labels by the field's name
 * @param idPrefix with the field's name it is the id of its control
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
