/**
 * Defines the items of a product's timeline. Merges items from several sources, newest first; items
 * with the same time are sorted by descending id. Finds moves (`MoveKind`) in observations.
 */
import { SEVERITIES } from "../../base/codes.ts";
import { PRICE_SOURCES } from "../../catalogue/prices/price_rows.ts";
import { AlertFacts } from "../../engine/wording/alert_facts.ts";
import { PROPOSAL_STATUSES } from "../../engine/pricing/codes.ts";
import { MOVE_KINDS, type MoveKind, moveKindOf } from "../../shops/observations/move_store.ts";
import { z } from "@hono/zod-openapi";
import { mergeSorted } from "../../base/collections.ts";
import { compareTexts } from "../../base/text.ts";
import type { Observation, PlacedObservation } from "../../shops/observations/observation.ts";

export const TIMELINE_TYPES = [
  "move",
  "price",
  "proposal",
  "alert",
  "edit",
  "import",
  "export",
] as const;
export type TimelineType = (typeof TIMELINE_TYPES)[number];

const at = z.iso.datetime();
const cents = z.int().nullable();
const fields = z.record(z.string(), z.unknown()).nullable();

const FACTS = "What happened";

const PriceData = z.object({
  source: z.enum(PRICE_SOURCES).describe("What changed the price"),
  fromCents: cents.describe("Null for the first price"),
  toCents: cents.describe("Null if the price was removed"),
  currency: z.string(),
}).describe(FACTS);

const base = {
  id: z.string().describe("Unique among the items of the product"),
  at,
  title: z.string().describe(
    "The name of its subject: the competitor, the rule, the title of the alert, the label of the " +
      "import, the action, the SKU, or the format of the export",
  ),
  actor: z.object({ type: z.string(), id: z.string(), name: z.string() }).nullable(),
  ref: z.string().nullable()
    .describe("Id of the link, job, proposal, rule, alert, audit row or export"),
};

export const TimelineItem = z.discriminatedUnion("type", [
  z.object({
    ...base,
    type: z.literal("move"),
    data: z.object({
      kind: z.enum(MOVE_KINDS),
      competitorProductId: z.string(),
      competitorId: z.string(),
      competitor: z.string(),
      fromCents: cents.describe("For one of our pieces, with or without VAT like ours"),
      toCents: cents.describe("Like `fromCents`"),
      currency: z.string(),
      changePct: z.number().nullable(),
    }).describe(FACTS),
  }),
  z.object({ ...base, type: z.literal("price"), data: PriceData }),
  z.object({ ...base, type: z.literal("import"), data: PriceData }),
  z.object({
    ...base,
    type: z.literal("proposal"),
    data: z.object({
      event: z.enum(["made", "decided"]),
      status: z.enum(PROPOSAL_STATUSES),
      ruleId: z.string(),
      ruleName: z.string(),
      currentCents: z.int(),
      proposedCents: z.int(),
      currency: z.string(),
      reason: z.string(),
      expiresAt: at,
    }).describe(FACTS),
  }),
  z.object({
    ...base,
    type: z.literal("alert"),
    data: z.object({
      severity: z.enum(SEVERITIES),
      ruleId: z.string().nullable(),
      body: z.string(),
      facts: AlertFacts.nullable(),
    }).describe(FACTS),
  }),
  z.object({
    ...base,
    type: z.literal("edit"),
    data: z.object({
      action: z.string(),
      before: fields,
      after: fields,
      currency: z.string().nullable(),
      reason: z.string().nullable().describe("The reason, if one was given"),
    }).describe(FACTS),
  }),
  z.object({
    ...base,
    type: z.literal("export"),
    data: z.object({
      format: z.string().describe("Format of the export"),
      from: at.nullable().describe("Start of the exported changes; null: from the first change on"),
      to: at.describe("End of the exported changes"),
      rows: z.int().describe("Number of exported changes"),
      toldAt: at.describe("Time of the exported change of our price"),
    }).describe(FACTS),
  }),
]).meta({ id: "TimelineItem" });

export type TimelineItem = z.infer<typeof TimelineItem>;

export interface TimelinePlace {
  readonly atMs: number;
  readonly id: string;
}

export const NEWEST: TimelinePlace = { atMs: Infinity, id: "" };

export function compareNewest(a: TimelinePlace, b: TimelinePlace): number {
  if (a.atMs !== b.atMs) return b.atMs - a.atMs;
  return compareTexts(b.id, a.id);
}

/** `source` must yield newer items first; items with the same time may come in any order. */
async function* inOrder<T extends TimelinePlace>(
  source: AsyncIterable<T>,
  after: TimelinePlace,
): AsyncGenerator<T> {
  let equal: T[] = [];
  for await (const item of source) {
    if (compareNewest(item, after) <= 0) continue;
    if (equal[0] !== undefined && equal[0].atMs !== item.atMs) {
      yield* equal.sort(compareNewest);
      equal = [];
    }
    equal.push(item);
  }
  yield* equal.sort(compareNewest);
}

export async function* mergeNewest<T extends TimelinePlace>(
  sources: readonly AsyncIterable<T>[],
  after: TimelinePlace,
): AsyncGenerator<T> {
  const sorted = sources.map((source) => inOrder(source, after));
  try {
    yield* mergeSorted(sorted, ({ atMs, id }) => `${String(atMs).padStart(16, "0")} ${id}`, "desc");
  } finally {
    await Promise.all(sorted.map((source) => source.return(undefined)));
  }
}

export type FoundMove =
  | {
    readonly is: "move";
    readonly kind: MoveKind;
    readonly seen: PlacedObservation;
    readonly before: Observation | null;
  }
  /** Ends the search after its maximum of observations; moves up to `atMs` may be missing. */
  | { readonly is: "break"; readonly atMs: number };

interface Waiting {
  readonly row: PlacedObservation;
  before: Observation | null | undefined;
}

export async function* findMoves(
  newestFirst: AsyncIterable<PlacedObservation>,
  most: number,
  observationsAheadMax = 10_000,
): AsyncGenerator<FoundMove> {
  const unknown = new Map<string, Waiting>();
  const queue: Waiting[] = [];
  let head = 0;
  let count = 0;
  const known = function* (): Generator<FoundMove> {
    for (;; head++) {
      const first = queue[head];
      if (first === undefined) return;
      if (first.before === undefined && queue.length - head <= observationsAheadMax) return;
      const { row, before = null } = first;
      if (first.before === undefined) unknown.delete(row.observation.matchId);
      const kind = moveKindOf(before, row.observation);
      if (kind !== null) yield { is: "move", kind, seen: row, before };
    }
  };
  for await (const row of newestFirst) {
    const { matchId } = row.observation;
    const newer = unknown.get(matchId);
    if (newer !== undefined) newer.before = row.observation;
    const waiting: Waiting = { row, before: undefined };
    unknown.set(matchId, waiting);
    queue.push(waiting);
    yield* known();
    if (++count < most) continue;
    const first = queue[head] ?? waiting;
    yield { is: "break", atMs: first.row.atMs };
    return;
  }
  for (const waiting of unknown.values()) waiting.before = null;
  yield* known();
}
