/** Tests have a short and a long form; the short form uses fewer rounds and smaller sizes. */
import { env } from "node:process";

/** `deno task prove` runs the long tests, `deno task test` the short ones. */
export const IS_LONG = env.LONG_PROOFS === "1";

export function extent(long: number, short: number): number {
  return IS_LONG ? long : short;
}
