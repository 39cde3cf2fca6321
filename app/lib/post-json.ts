/** Sends a POST request with a JSON body. */
export const postJson = (path: string, body: object, options?: RequestInit): Promise<Response> =>
  fetch(path, {
    ...options,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
