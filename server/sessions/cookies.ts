export type CookieJar = ReturnType<typeof openCookieJar>;

/**
 * Reads a Cookie header. Ignores malformed pairs and uses the first of two cookies with one name.
 *
 * Over https, a cookie that only the server may set has the `__Host-` prefix; browsers refuse the prefix over http.
 */
export function openCookieJar(header: string | null, secure: boolean) {
  const incoming = new Map<string, string>();
  for (const part of (header ?? "").split(";")) {
    const at = part.indexOf("=");
    const name = part.slice(0, at).trim();
    const value = part.slice(at + 1).trim();
    if (at > 0 && !incoming.has(name) && /^[\w!#$%&'()*+\-./:<=>?@[\]^`{|}~]*$/.test(value)) incoming.set(name, value);
  }
  const outgoing: string[] = [];
  const write = (name: string, value: string, maxAge: number, httpOnly = true) => {
    incoming.set(name, value);
    // Of two values for a cookie, the response has only the last.
    const before = outgoing.findIndex((one) => one.startsWith(`${name}=`));
    if (before >= 0) outgoing.splice(before, 1);
    const flags = `${httpOnly ? "; HttpOnly" : ""}${secure ? "; Secure" : ""}`;
    outgoing.push(`${name}=${value}; Max-Age=${maxAge}; Path=/; SameSite=Lax${flags}`);
  };
  const named = (name: string) => (secure ? `__Host-${name}` : name);
  return {
    outgoing,
    get: (name: string) => incoming.get(named(name)),
    /** Reads a cookie that scripts may write, such as the theme. Its name never has the `__Host-` prefix. */
    plain: (name: string) => incoming.get(name),
    /** Sets a cookie that scripts cannot read. `maxAge` is in seconds. */
    set: (name: string, value: string, { maxAge }: { maxAge: number }) => write(named(name), value, maxAge),
    /** Sets a cookie that `plain` reads, `maxAge` in seconds. */
    setPlain: (name: string, value: string, maxAge: number) => write(name, value, maxAge, false),
    clear(name: string) {
      write(named(name), "", 0);
      incoming.delete(named(name));
    },
  };
}
