import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// V8 counts bytes outside its heap late: it would collect photos and pixels only after 50 MB.
setFlagsFromString("--expose-gc");
const runGarbageCollection = runInNewContext("gc") as () => void;
/** Bytes after which the garbage collector runs. A run blocks the thread for 10-50 ms. */
const UNCOLLECTED_BYTES = 8 * 1024 * 1024;
let uncollected = 0;

/** Notes unused bytes outside V8's heap, and runs the garbage collector if there are many. */
export function releaseBytes(bytes: number): void {
  uncollected += bytes;
  if (uncollected < UNCOLLECTED_BYTES) return;
  uncollected = 0;
  runGarbageCollection();
}
