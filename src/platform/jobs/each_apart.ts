import { Failure } from "../../base/failure.ts";
import { roomLog } from "../log.ts";

const log = roomLog("care");

/**
 * Does `work` for one after the other of what belongs to several workspaces: one that cannot be done
 * is logged, with the `name` of the work, and keeps no other waiting. Throws `unavailable` when the
 * store takes no changes, because then nothing can be done.
 */
export async function eachApart<T>(
  name: string,
  all: Iterable<T> | AsyncIterable<T>,
  work: (one: T) => Promise<void>,
): Promise<void> {
  for await (const one of all) {
    try {
      await work(one);
    } catch (error) {
      if (error instanceof Failure && error.code === "unavailable") throw error;
      log.error("one of several could not be done", { name, one, error });
    }
  }
}
