/**
 * Links whose pages show another product, until they are reported. A commit that reports links saves the
 * state with its check, so each link is reported once.
 */
import { z } from "zod";
import type { OutboxEvent } from "../../platform/events/event.ts";
import { defineTable } from "../../platform/store/table.ts";

/** The facts of a link in its alert. */
export type Mismatch = Extract<OutboxEvent, { type: "match.mismatch" }>["data"];

const Stand = z.object({
  /** Times of alerts about single links, the oldest first. */
  toldMs: z.array(z.number()),
  /** Null where none waits. */
  waiting: z.object({
    count: z.number(),
    firstMs: z.number(),
    lastMs: z.number(),
    /** Ids of their shops. */
    shops: z.array(z.string()),
  }).nullable(),
});

/** Recent alerts and waiting links. Times are in milliseconds. */
export type MismatchStand = Readonly<z.infer<typeof Stand>>;

export const mismatches = defineTable<Mismatch & { readonly id: string }, "id">({
  prefix: "alm",
  about: "a link whose page shows another product and that was not reported yet",
  key: { id: "id" },
  keyOnly: ["id"],
});

export const mismatchStands = defineTable<MismatchStand>({
  prefix: "almt",
  about:
    "times of recent alerts about single links, and the links that wait for the next collective alert",
  key: {},
  codec: { decode: (value) => Stand.parse(value) },
});
