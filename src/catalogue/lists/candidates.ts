import type { HitKind } from "./search_text.ts";

/** Products that contain all that a question asks for. */
export interface Candidates {
  /** Their ids after `after`, ascending, looked for only as far as they are taken. */
  idsAfter(after: string | null, kind?: HitKind): Iterable<string>;
  /** All ids, in whatever order. */
  all(): Iterable<string>;
}
