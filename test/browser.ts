import type { Answer, TestApp } from "./app.ts";

/** Opens a browser that stores cookies and sends them with the given extra headers. */
export function openBrowser(app: TestApp, more: Record<string, string> = {}) {
  const jar = new Map<string, string>();
  const kept = <Got extends Answer>(answer: Got): Got => {
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/Max-Age=0/.test(line)) jar.delete(name!);
      else jar.set(name!, value!);
    }
    return answer;
  };
  const headers = () => ({ ...more, cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") });
  return {
    jar,
    call: async (method: string, path: string, body?: unknown) =>
      kept(await app.call(method, path, body, null, headers())),
    form: async (path: string, fields: Record<string, string>) => kept(await app.form(path, fields, null, headers())),
    page: async (path: string) => kept(await app.page(path, null, { headers: headers() })),
    viewer: async () => (await app.call("GET", "/session", undefined, null, headers())).body.user,
  };
}
export type Browser = ReturnType<typeof openBrowser>;

export const isSignedIn = async (browser: Browser) => (await browser.viewer()) !== null;
