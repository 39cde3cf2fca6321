/** Bodies of responses. Reading a body from a response copies it several times. */
const bodies = new WeakMap<Response, string | Buffer>();

export function responseWith(body: string | Buffer<ArrayBuffer>, init: ResponseInit): Response {
  const response = new Response(body, init);
  bodies.set(response, body);
  return response;
}

/** Returns the body of a response. Consumes it unless `responseWith` created the response. */
export async function bodyOf(response: Response): Promise<Buffer> {
  const body = bodies.get(response) ?? (await response.arrayBuffer());
  return body instanceof Buffer ? body : Buffer.from(body as string);
}
