/**
 * Loaded before a program (`--import`), so that it does the same at every start: its clock stands still, and the ids it
 * makes are counted. `FIXED_IDS` tells the ids of one program from those of another.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { MOMENT } from "./moment.ts";

const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    super(...((given.length ? given : [MOMENT]) as [number]));
  }
  static override now(): number {
    return MOMENT;
  }
} as DateConstructor;

let count = 0;
const program = (process.env.FIXED_IDS ?? "").padStart(4, "0");
crypto.randomUUID = () => `00000000-${program}-4000-8000-${String(++count).padStart(12, "0")}`;
syncBuiltinESMExports();
