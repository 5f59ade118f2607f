/** Short test runs try each kind of input once, with fewer rounds and smaller sizes. */
import { env } from "node:process";

/** `deno task prove` runs the long tests, `deno task test` the short ones. */
export const IS_LONG = env.LONG_PROOFS === "1";

/** `long` in long test runs, `short` in short test runs. */
export function extent(long: number, short: number): number {
  return IS_LONG ? long : short;
}
