/** Bodies of responses. A body that is read from a response is copied several times. */
const bodies = new WeakMap<Response, string | Buffer>();

/** Makes a response with a body that `bodyOf` returns. */
export function responseWith(body: string | Buffer<ArrayBuffer>, init: ResponseInit): Response {
  const response = new Response(body, init);
  bodies.set(response, body);
  return response;
}

/** True if a response has a body. A stream is made of one that is not known. */
export const hasBody = (response: Response): boolean => bodies.has(response) || response.body !== null;

/** Returns the body of a response, which it uses up unless it was made by `responseWith`. */
export async function bodyOf(response: Response): Promise<Buffer> {
  const body = bodies.get(response) ?? (await response.arrayBuffer());
  return body instanceof Buffer ? body : Buffer.from(body as string);
}
