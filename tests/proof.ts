/** Long proofs have a short form: each kind of input once, fewer rounds and smaller sizes. */
import { env } from "node:process";

/** True in `deno task prove`; false in `deno task test`, which everybody waits for. */
export const IS_LONG = env.LONG_PROOFS === "1";

/** How often, how much or how large: what the long form takes, or the short one. */
export function extent(long: number, short: number): number {
  return IS_LONG ? long : short;
}
