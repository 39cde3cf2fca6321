/** Orderly end of this process. */
import { PRODUCT_NAME } from "#shared/product.ts";
import { ConfigError } from "./config.ts";

/** Time for an orderly end, in milliseconds. */
const STOP_MS = 15_000;

const closing: (() => Promise<unknown> | unknown)[] = [];
let stopping: Promise<void> | undefined;

/** Adds a step that runs before all earlier ones when the process stops. */
export const whenStopping = (close: () => Promise<unknown> | unknown): void => void closing.push(close);

export const isStopping = (): boolean => stopping !== undefined;

/** Stops in the reverse order of the start, once for any number of signals. */
export function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    const tooLong = setTimeout(() => process.exit(1), STOP_MS);
    tooLong.unref();
    for (const close of closing.reverse()) await (async () => close())().catch(() => {});
    process.exit(code);
  })();
  return stopping;
}

/** Prints the error that ends this process, then stops. */
export function fail(error: unknown): Promise<void> {
  console.error(error instanceof ConfigError ? `${PRODUCT_NAME} cannot start. ${error.message}` : error);
  return stop(1);
}
