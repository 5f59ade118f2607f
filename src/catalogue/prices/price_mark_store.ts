/** Keys: `pm W productId at` → mark of the entry of the price history that stands at that time. */

import { AuditReason } from "../../accounts/audit/audit.ts";
import { idBytes, keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn } from "../../platform/store/id_keys.ts";
import type { Write } from "../../platform/store/kv.ts";
import { PriceChange } from "./price_history.ts";
import type { Stretch } from "./price_history_store.ts";
import type { VatTimeline } from "./price_terms_store.ts";
import { z } from "@hono/zod-openapi";

const marksOf = (workspaceId: string) => ["pm", keptIdBytes(workspaceId)];
const markKey = (workspaceId: string, productId: string, atMs: number) => [
  ...marksOf(workspaceId),
  idBytes(productId),
  atMs,
];

/** A mark with its place; `mark` is null where there is none. */
interface FoundMark {
  readonly productId: string;
  readonly atMs: number;
  readonly mark: PriceMark | null;
  readonly versionstamp: string | null;
}

export async function findPriceMark(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
  atMs: number,
): Promise<FoundMark> {
  const key = markKey(workspaceId, productId, atMs);
  const { value: mark, versionstamp } = await store.kv.get<PriceMark>(key);
  return { productId, atMs, mark, versionstamp };
}

/** Null takes the mark away. The commit fails when it is no longer the one that was found. */
export function savePriceMark(
  write: Write,
  workspaceId: string,
  { productId, atMs, versionstamp }: FoundMark,
  mark: PriceMark | null,
): void {
  const key = markKey(workspaceId, productId, atMs);
  write.check(key, versionstamp);
  if (mark === null) write.delete(key);
  else write.set(key, mark);
}

/** Adds a mark that there was before, in another store. */
export function putPriceMark(
  write: Write,
  workspaceId: string,
  { productId, atMs }: Pick<FoundMark, "productId" | "atMs">,
  mark: PriceMark,
): void {
  write.set(markKey(workspaceId, productId, atMs), mark);
}

/** The marks of a stretch of a product's history, by the times of their entries. */
export async function listPriceMarks(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
  { fromMs, beforeMs }: Stretch,
): Promise<Map<number, PriceMark>> {
  const marks = new Map<number, PriceMark>();
  if (beforeMs <= fromMs) return marks;
  const prefix = [...marksOf(workspaceId), idBytes(productId)];
  const range = { start: [...prefix, fromMs], end: [...prefix, beforeMs] };
  const rows = store.kv.list<PriceMark>(range, { batchSize: 500 });
  for await (const { key, value } of rows) marks.set(Number(key[3]), value);
  return marks;
}

/** Every mark, by product: for files and checks of the store. */
export async function* walkPriceMarks({ store, workspaceId }: WorkspaceStore) {
  const prefix = marksOf(workspaceId);
  for await (const { key, value } of store.kv.list<PriceMark>({ prefix }, { batchSize: 1_000 })) {
    yield { productId: idIn(key, 2), atMs: Number(key[3]), mark: value };
  }
}

/** An entry that a person has marked as an error. */
export const PriceMark = z.object({
  isError: z.literal(true),
  neverShown: z.boolean().meta({
    description: "No customer ever saw the price: the lowest price of 30 days leaves it out",
  }),
  reason: z.string().nullable(),
  by: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  markedAt: z.iso.datetime(),
}).meta({ id: "PriceMark" });

export type PriceMark = Readonly<z.infer<typeof PriceMark>>;

/** Body of a request that marks an entry; `isError` false removes the mark. */
export const NewPriceMark = z.strictObject({
  isError: z.boolean(),
  neverShown: z.boolean().default(false),
  reason: AuditReason.optional(),
}).refine(({ isError, neverShown }) => isError || !neverShown, {
  path: ["neverShown"],
  message: "Only an error was never shown",
}).refine(({ neverShown, reason }) => !neverShown || Boolean(reason), {
  path: ["reason"],
  message: "Must say why: it stands beside the lowest price of 30 days",
}).meta({
  id: "NewPriceMark",
  example: { isError: true, neverShown: true, reason: "Comma forgotten, shop was offline" },
});

export type NewPriceMark = z.infer<typeof NewPriceMark>;

/** A change of the price as the history answers it. */
export const PriceHistoryEntry = PriceChange.extend({
  mark: PriceMark.nullable(),
  vatRatePct: z.number().nullable().meta({
    description: "The VAT of its day, the product's own or that of the workspace; null: not known",
  }),
}).meta({ id: "PriceHistoryEntry" });

export type PriceHistoryEntry = Readonly<z.infer<typeof PriceHistoryEntry>>;

/** The changes with their marks, which are known by the time of the change in milliseconds. */
export function withMarks(
  changes: readonly PriceChange[],
  marks: ReadonlyMap<number, PriceMark>,
  vat: VatTimeline,
): PriceHistoryEntry[] {
  return changes.map((change) => {
    const atMs = Date.parse(change.at);
    return { ...change, mark: marks.get(atMs) ?? null, vatRatePct: vat.at(atMs).vatRatePct };
  });
}
