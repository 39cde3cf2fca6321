/** Omits empty parameters. Chrome before 113 and Safari before 17 lack `URLSearchParams.size`. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
