/** Long tests have a short form with each kind of input once, fewer rounds and smaller sizes. */
import { env } from "node:process";

/** True in `deno task prove`, false in `deno task test`. */
export const IS_LONG = env.LONG_PROOFS === "1";

/** A number, amount or size for the long form or for the short one. */
export function extent(long: number, short: number): number {
  return IS_LONG ? long : short;
}
