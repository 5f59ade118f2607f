/** Long tests have a short form: each kind of input once, fewer rounds, smaller sizes. */
import { env } from "node:process";

/** True in `deno task prove`, false in `deno task test`. */
export const IS_LONG = env.LONG_PROOFS === "1";

/** `long` in the long form of tests, `short` in the short form. */
export function extent(long: number, short: number): number {
  return IS_LONG ? long : short;
}
