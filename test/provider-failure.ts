import { expect } from "vitest";
import { ProviderError } from "#server/integrations/provider-error.ts";

/** The error with which a call to a payment provider fails. */
export async function failure(doing: Promise<unknown>): Promise<ProviderError> {
  const error = await doing.then(
    () => new Error("It succeeded."),
    (problem: unknown) => problem,
  );
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
}
