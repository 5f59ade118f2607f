import { Failure } from "../base/failure.ts";
import type { Store } from "./kv.ts";

const ANSWER_MS_MAX = 2_000;

/** Refuses with `unavailable` when the store does not answer a read within 2 s. */
export async function requireAnswer({ kv }: Store): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${ANSWER_MS_MAX} ms`)), ANSWER_MS_MAX);
  });
  try {
    await Promise.race([kv.get(["schema"]), tooLate]);
  } catch (cause) {
    throw new Failure("unavailable", "The store does not answer", undefined, { cause });
  } finally {
    clearTimeout(timer);
  }
}
