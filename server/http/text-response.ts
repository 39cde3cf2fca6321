/** Texts of responses. A text that is read from a response is copied several times. */
const texts = new WeakMap<Response, string>();

/** A response with a text that `textOf` returns. */
export function textResponse(text: string, init: ResponseInit): Response {
  const response = new Response(text, init);
  texts.set(response, text);
  return response;
}

/** @returns undefined if the response was not made by `textResponse` */
export const textOf = (response: Response): string | undefined => texts.get(response);
