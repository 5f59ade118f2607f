/**
 * Stores the history of our prices, and which prices people have marked as wrong. The first price
 * of an imported product has no row until it changes, because the product itself contains it. If an
 * import changes a price, the row has only the import's id; `importActors` has the sender.
 */
import { decoder, encoder } from "../../base/bytes.ts";
import { idAt, isId } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { type IdStretch, lastBytes } from "../../platform/store/rows.ts";
import { AuditReason } from "../../accounts/audit/audit.ts";
import type { VatTimeline } from "./price_terms_store.ts";
import { z } from "@hono/zod-openapi";

export const PRICE_SOURCES = ["api", "import", "rule", "proposal", "rollback"] as const;

/** Entries of a product's price history are never deleted; the oldest is the first price. */
export const PriceChange = z.object({
  at: z.iso.datetime(),
  fromCents: z.int().nullable().describe("Null for the first price"),
  toCents: z.int().nullable().describe("Null if the price was removed"),
  currency: z.string(),
  source: z.enum(PRICE_SOURCES).describe("What changed the price"),
  actor: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  ref: z.string().nullable()
    .describe("Id of the import job, proposal or rule that changed the price"),
}).meta({ id: "PriceChange" });

export type PriceChange = Readonly<z.infer<typeof PriceChange>>;

export function priceChangeId(productId: string, at: string): string {
  return idAt(Date.parse(at), `price ${productId} ${at}`);
}

export interface PriceCause {
  readonly source: (typeof PRICE_SOURCES)[number];
  readonly actor: PriceChange["actor"];
  readonly ref: string | null;
}

interface OwnPrice {
  readonly ourPriceCents: number | null;
  readonly currency: string;
  readonly ourPriceUpdatedAt: string | null;
  readonly updatedAt: string;
}

export function priceChangeOf(
  before: OwnPrice | null,
  after: OwnPrice,
  cause: PriceCause,
): PriceChange | null {
  const fromCents = before?.ourPriceCents ?? null;
  const toCents = after.ourPriceCents;
  if (fromCents === null && toCents === null) return null;
  if (fromCents === toCents && before?.currency === after.currency) return null;
  return { at: pricedAt(after), fromCents, toCents, currency: after.currency, ...cause };
}

export function pricedAt({ ourPriceUpdatedAt, updatedAt }: OwnPrice): string {
  return ourPriceUpdatedAt ?? updatedAt;
}

export function firstPriceOf(
  product: OwnPrice,
  jobId: string,
  actor: PriceChange["actor"],
): PriceChange | null {
  return priceChangeOf(null, product, { source: "import", actor, ref: jobId });
}

interface ChangePlace {
  readonly productId: string;
  readonly atMs: number;
}

const priceRows = defineTable<Row & ChangePlace, "productId" | "atMs">({
  prefix: "ph",
  about: "a change of the own price of a product, as the bytes of an array",
  key: { productId: "id", atMs: "number" },
  codec: { encode: encodeRow, decode: decodeRow },
});

export const exportedChanges = defineTable<
  ChangePlace & { readonly change: PriceChange },
  "atMs" | "productId"
>({
  prefix: "pe",
  about: "a change of an own price that no import caused, as the API returns it",
  key: { atMs: "number", productId: "id" },
  value: "change",
});

export const importActors = defineTable<
  { readonly jobId: string; readonly actor: Sender },
  "jobId"
>({
  prefix: "phi",
  about: "who sent an import that set prices; the changes contain only the id of the import",
  key: { jobId: "id" },
  value: "actor",
});

/**
 * The row of the next price contains an imported product's first price: amount (`fromCents`), time,
 * import and currency.
 */
export interface FirstPrice {
  readonly atMs: number;
  readonly jobId: string;
  readonly currency: string;
}

type Sender = PriceChange["actor"];

interface Row extends Omit<PriceChange, "at" | "actor"> {
  /** Null for an import whose sender is in `importActors`. */
  readonly actor: Sender | null;
  /** Set if this change replaced a first price that an import had set. */
  readonly first: FirstPrice | null;
}

/** If an import changes a price, the same commit must write the sender to `importActors`. */
export function addPriceChange(
  write: Write,
  workspaceId: string,
  productId: string,
  change: PriceChange,
  first: FirstPrice | null = null,
): void {
  const place = { productId, atMs: Date.parse(change.at) };
  const { at: _, ...row } = change;
  const actor = isBySender(change) ? null : change.actor;
  priceRows.put(write, { workspaceId }, { ...row, ...place, actor, first });
  if (change.source === "import") return;
  exportedChanges.put(write, { workspaceId }, { ...place, change });
}

export function isBySender(
  change: Pick<PriceChange, "source" | "ref">,
): change is { source: "import"; ref: string } {
  return change.source === "import" && change.ref !== null && isId(change.ref);
}

type Packed = readonly [
  fromCents: number | null,
  toCents: number | null,
  currency: string,
  source: PriceChange["source"],
  ref: string | null,
  actor: Sender | null,
  first: readonly [atMs: number, jobId: string, currency: string] | null,
];

function encodeRow({ fromCents, toCents, currency, source, ref, actor, first }: Row): Uint8Array {
  const ended = first && [first.atMs, first.jobId, first.currency] as const;
  const row: Packed = [fromCents, toCents, currency, source, ref, actor, ended];
  return encoder.encode(JSON.stringify(row));
}

async function changesOf(row: Row & ChangePlace, senderOf: SenderOf): Promise<PriceChange[]> {
  const { first, actor, productId: _, atMs, ...rest } = row;
  const change = { at: new Date(atMs).toISOString(), ...rest };
  const own = { ...change, actor: actor ?? await senderOf(row.ref ?? "") };
  if (!first || row.fromCents === null) return [own];
  return [{
    at: new Date(first.atMs).toISOString(),
    fromCents: null,
    toCents: row.fromCents,
    currency: first.currency,
    source: "import",
    actor: await senderOf(first.jobId),
    ref: first.jobId,
  }, own];
}

type SenderOf = (jobId: string) => Promise<Sender>;

export function createSenderFinder(workspace: WorkspaceStore): SenderOf {
  const known = new Map<string, Promise<Sender>>();
  return (jobId) => known.getOrInsertComputed(jobId, () => findImportActor(workspace, jobId));
}

function decodeRow(bytes: unknown): Row {
  if (!(bytes instanceof Uint8Array)) throw new Error("A row of price changes has no bytes");
  const row: Packed | Row = JSON.parse(decoder.decode(bytes));
  // Earlier versions of Kurant stored each row as an object, without the fields that are null.
  if (!isPacked(row)) return { ...row, actor: row.actor ?? null, first: row.first ?? null };
  const [fromCents, toCents, currency, source, ref, actor, first] = row;
  const ended = first && { atMs: first[0], jobId: first[1], currency: first[2] };
  return { fromCents, toCents, currency, source, ref, actor, first: ended };
}

function isPacked(row: Packed | Row): row is Packed {
  return Array.isArray(row);
}

export interface Stretch {
  readonly fromMs: number;
  readonly beforeMs: number;
}

export async function findImportActor(workspace: WorkspaceStore, jobId: string): Promise<Sender> {
  const found = await importActors.find(workspace, { jobId });
  return found?.row.actor ?? { type: "system", id: jobId, name: "Import" };
}

export async function listKnownImports(workspace: WorkspaceStore): Promise<ReadonlySet<string>> {
  return new Set(await Array.fromAsync(importActors.walk(workspace), ({ row }) => row.jobId));
}

export async function listPriceRows(
  workspace: WorkspaceStore,
  productId: string,
  { fromMs, beforeMs }: Stretch,
  limit: number,
): Promise<PriceChange[]> {
  if (beforeMs <= fromMs) return [];
  const prefix = priceRows.keyOf(workspace, { productId, atMs: 0 }).slice(0, -1);
  const range = { from: [fromMs], before: [beforeMs] };
  const found = await lastBytes(workspace.store, prefix, range, limit);
  const rows = found.map(({ parts: [atMs], value }): Row & ChangePlace => ({
    ...decodeRow(value),
    productId,
    atMs: Number(atMs),
  }));
  if (rows.length === 0) {
    // The row after an empty period may contain a first price that was set in the period.
    const behind = { within: { productId }, after: { atMs: beforeMs - 1 }, limit: 1 };
    rows.push(...(await priceRows.list(workspace, behind)).map(({ row }) => row));
  }
  const senderOf = createSenderFinder(workspace);
  const changes: PriceChange[] = [];
  for (const row of rows) changes.push(...(await changesOf(row, senderOf)).reverse());
  const isWithin = ({ at }: PriceChange) => {
    const atMs = Date.parse(at);
    return atMs >= fromMs && atMs < beforeMs;
  };
  return changes.filter(isWithin).slice(0, limit);
}

export async function findNextChange(
  workspace: WorkspaceStore,
  productId: string,
  atMs: number,
): Promise<number | null> {
  const next = { within: { productId }, after: { atMs }, limit: 1 };
  const [found] = await priceRows.list(workspace, next);
  return found ? found.row.atMs : null;
}

export interface ExportedChange extends ChangePlace {
  readonly versionstamp: string;
  readonly change: PriceChange;
}

export async function* walkExport(
  workspace: WorkspaceStore,
  { fromMs, newest }: { readonly fromMs: number; readonly newest: boolean },
): AsyncGenerator<ExportedChange> {
  const options = newest ? { order: "desc" } as const : { after: { atMs: fromMs - 1 } };
  for await (const { row, versionstamp } of exportedChanges.walk(workspace, options)) {
    if (row.atMs < fromMs) return;
    yield { ...row, versionstamp };
  }
}

export async function* walkPriceRows(workspace: WorkspaceStore, among?: IdStretch) {
  const senderOf = createSenderFinder(workspace);
  const options = among ? { after: { productId: among.first, atMs: -1 } } : {};
  for await (const { row } of priceRows.walk(workspace, options)) {
    if (among && row.productId > among.last) return;
    for (const change of await changesOf(row, senderOf)) {
      yield { productId: row.productId, atMs: Date.parse(change.at), change };
    }
  }
}

export const priceMarks = defineTable<
  ChangePlace & { readonly mark: PriceMark },
  "productId" | "atMs"
>({
  prefix: "pm",
  about: "a person's mark that the price set at that time was an error",
  key: { productId: "id", atMs: "number" },
  value: "mark",
});

export async function listPriceMarks(
  workspace: WorkspaceStore,
  productId: string,
  { fromMs, beforeMs }: Stretch,
): Promise<Map<number, PriceMark>> {
  const marks = new Map<number, PriceMark>();
  const options = { within: { productId }, after: { atMs: fromMs - 1 } };
  for await (const { row: { atMs, mark } } of priceMarks.walk(workspace, options)) {
    if (atMs >= beforeMs) break;
    marks.set(atMs, mark);
  }
  return marks;
}

export const PriceMark = z.object({
  isError: z.literal(true),
  neverShown: z.boolean()
    .describe("No customer ever saw the price, so the lowest price of 30 days ignores it"),
  reason: z.string().nullable(),
  by: z.object({ type: z.string(), id: z.string(), name: z.string() }),
  markedAt: z.iso.datetime(),
}).meta({ id: "PriceMark" });

export type PriceMark = Readonly<z.infer<typeof PriceMark>>;

export const NewPriceMark = z.strictObject({
  isError: z.boolean(),
  neverShown: z.boolean().default(false),
  reason: AuditReason.optional(),
}).refine(({ isError, neverShown }) => isError || !neverShown, {
  path: ["neverShown"],
  message: "Must be false unless `isError` is true",
}).refine(({ neverShown, reason }) => !neverShown || Boolean(reason), {
  path: ["reason"],
  message: "Is required, because it is shown with the lowest price of 30 days",
}).meta({
  id: "NewPriceMark",
  example: { isError: true, neverShown: true, reason: "Comma forgotten, shop was offline" },
});

export type NewPriceMark = z.infer<typeof NewPriceMark>;

export const PriceHistoryEntry = PriceChange.extend({
  mark: PriceMark.nullable(),
  vatRatePct: z.number().nullable()
    .describe("The VAT rate of its day, of the product or else of the workspace; null: not known"),
}).meta({ id: "PriceHistoryEntry" });

export type PriceHistoryEntry = Readonly<z.infer<typeof PriceHistoryEntry>>;

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
