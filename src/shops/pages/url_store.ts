/**
 * Stores the URLs of a shop's pages (as deflated JSON), and the plans of the shop's discovery job.
 * Only this job writes the rows. All rows are removed if the shop is deleted or its domain changes.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { decoder, encoder, joinedBytes } from "../../base/bytes.ts";
import { cutBySize } from "../../base/collections.ts";
import { utf8Bytes } from "../../base/text.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { belongsToShop } from "../competitor_store.ts";

export interface ShopPlace extends WorkspaceStore {
  readonly competitorId: string;
}

interface UrlValue {
  readonly competitorId: string;
  readonly part: number;
  readonly n: number;
  readonly bytes: Uint8Array;
}

export const knownUrls = defineTable<UrlValue, "competitorId" | "part" | "n">({
  prefix: "dsu",
  about: "pages of a shop, as deflated JSON; `part` is derived from the hash of the address",
  key: { competitorId: "id", part: "number", n: "number" },
  value: "bytes",
  check: belongsToShop("A part of the pages"),
});

export interface PlannedFile {
  readonly url: string;
  /** Number of sitemap indexes that lead to the file; 0 if robots.txt or the settings name it. */
  readonly depth: number;
}

export interface PlannedPages {
  readonly urls: readonly string[];
  /** One letter of `STATE_OF_OUTCOME` for each processed URL, in the order of `urls`. */
  readonly outcomes: string;
}

interface Plan {
  readonly competitorId: string;
  readonly kind: "file" | "page";
  readonly n: number;
  readonly plan: PlannedFile | PlannedPages;
}

export const plans = defineTable<Plan, "competitorId" | "kind" | "n">({
  prefix: "dsp",
  about: "a sitemap to read (`file`), or up to 25 pages to visit, with results (`page`)",
  key: { competitorId: "id", kind: "text", n: "number" },
  value: "plan",
  check: belongsToShop("A plan"),
});

export async function readUrlPart(
  { competitorId, ...workspace }: ShopPlace,
  part: number,
): Promise<{ readonly urls: readonly KnownUrl[]; readonly values: number }> {
  const found = await knownUrls.list(workspace, { within: { competitorId, part } });
  return { urls: found.flatMap(({ row }) => unpackUrls(row.bytes)), values: found.length };
}

export interface PartChange {
  readonly part: number;
  readonly before: number;
  readonly values: readonly Uint8Array[];
}

export function saveUrlPart(
  write: Write,
  { workspaceId, competitorId }: ShopPlace,
  { part, before, values }: PartChange,
): void {
  for (const [n, bytes] of values.entries()) {
    knownUrls.put(write, { workspaceId }, { competitorId, part, n, bytes });
  }
  for (let n = values.length; n < before; n++) {
    knownUrls.drop(write, { workspaceId }, { competitorId, part, n });
  }
}

export async function listPlannedFiles(place: ShopPlace): Promise<PlannedFile[]> {
  return (await listPlans(place, "file")).flatMap((plan) => "url" in plan ? [plan] : []);
}

export async function listPlannedPages(place: ShopPlace): Promise<PlannedPages[]> {
  return (await listPlans(place, "page")).flatMap((plan) => "urls" in plan ? [plan] : []);
}

async function listPlans({ competitorId, ...workspace }: ShopPlace, kind: Plan["kind"]) {
  const found = await plans.list(workspace, { within: { competitorId, kind } });
  return found.map(({ row }) => row.plan);
}

export function putPlan(
  write: Write,
  { workspaceId, competitorId }: ShopPlace,
  n: number,
  plan: PlannedFile | PlannedPages,
): void {
  const kind = "urls" in plan ? "page" : "file";
  plans.put(write, { workspaceId }, { competitorId, kind, n, plan });
}

export async function findPlannedPages(
  { competitorId, ...workspace }: ShopPlace,
  n: number,
): Promise<PlannedPages | null> {
  const plan = (await plans.find(workspace, { competitorId, kind: "page", n }))?.row.plan;
  return plan && "urls" in plan ? plan : null;
}

export async function removePlan(place: ShopPlace, kind: Plan["kind"]): Promise<void> {
  await plans.clear(place, { competitorId: place.competitorId, kind });
}

export const URL_STATES = ["new", "product", "other", "gone", "refused", "failed"] as const;
export type UrlState = (typeof URL_STATES)[number];

export interface KnownUrl {
  readonly url: string;
  /** Day of the page's last change according to the shop, in days since 1970; 0 if unknown. */
  readonly lastmodDay: number;
  readonly state: UrlState;
  /** Fit with our titles, from 0 to 1; 1 if the shop's search found the URL; null if not scored. */
  readonly score: number | null;
  /** Day of the last visit, or of reading the page in a feed, in days since 1970; 0 for never. */
  readonly visitedDay: number;
}

export const URL_PARTS = 512;

export function urlPart(url: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < url.length; at++) hash = Math.imul(hash ^ url.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % URL_PARTS;
}

/** First byte of values in today's format (deflated JSON); older values never begin with 0. */
const JSON_MARK = Uint8Array.of(0);
const VALUE_BYTES_MAX = 60_000;

type UrlRow = ReturnType<typeof rowOf>;

function rowOf({ url, state, score, lastmodDay, visitedDay }: KnownUrl) {
  return [url, state, score && Math.round(score * 1_000) / 1_000, lastmodDay, visitedDay] as const;
}

/** Each returned value can be decoded without the other values. */
export function packUrls(urls: readonly KnownUrl[]): Uint8Array[] {
  const rows = urls.map((one) => JSON.stringify(rowOf(one)));
  return cutBySize(rows, VALUE_BYTES_MAX, (row) => utf8Bytes(row) + 1).map((some) =>
    joinedBytes([JSON_MARK, deflateRawSync(encoder.encode(`[${some.join()}]`), { level: 1 })])
  );
}

export function unpackUrls(value: Uint8Array): KnownUrl[] {
  if (value[0] !== JSON_MARK[0]) return unpackFormer(value);
  const rows: UrlRow[] = JSON.parse(decoder.decode(inflateRawSync(value.subarray(1))));
  return rows.map(([url, state, score, lastmodDay, visitedDay]) => (
    { url, state, score, lastmodDay, visitedDay }
  ));
}

const SCORE_STEPS = 250;
const NO_SCORE = 255;
const HEAD_BYTES = 9;

/**
 * Decodes a value of earlier versions: number of origins (1 byte), origins (2 bytes of length,
 * text), pages. A page is stored as index of the origin, state, score (1 byte each), `lastmodDay`,
 * `visitedDay`, length of the path (2 bytes each), path.
 */
function unpackFormer(value: Uint8Array): KnownUrl[] {
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  const text = (at: number, length: number) => decoder.decode(value.subarray(at, at + length));
  const origins: string[] = [];
  let at = 1;
  for (let n = view.getUint8(0); n > 0; n--) {
    const length = view.getUint16(at);
    origins.push(text(at + 2, length));
    at += 2 + length;
  }
  const urls: KnownUrl[] = [];
  while (at < value.length) {
    const length = view.getUint16(at + 7);
    const origin = origins[view.getUint8(at)];
    const state = URL_STATES[view.getUint8(at + 1)];
    if (origin === undefined || state === undefined) {
      throw new Error("The stored pages of a shop are damaged");
    }
    const score = view.getUint8(at + 2);
    urls.push({
      url: origin + text(at + HEAD_BYTES, length),
      state,
      score: score === NO_SCORE ? null : score / SCORE_STEPS,
      lastmodDay: view.getUint16(at + 3),
      visitedDay: view.getUint16(at + 5),
    });
    at += HEAD_BYTES + length;
  }
  return urls;
}

export function mergeUrls(
  known: readonly KnownUrl[],
  pages: ReadonlySet<string>,
  addedMax: number,
  withFacts: (one: KnownUrl) => KnownUrl,
) {
  const left = new Set(pages);
  const urls = known.map((one) => left.delete(one.url) ? withFacts(one) : one);
  let bytes = known.reduce((sum, { url }) => sum + HEAD_BYTES + url.length, 0);
  let added = 0;
  for (const url of left) {
    bytes += HEAD_BYTES + url.length;
    if (added === addedMax || bytes > 500_000) break;
    urls.push(withFacts({ ...NEW, url }));
    added += 1;
  }
  return { urls, added, leftOut: left.size - added };
}

const NEW = { state: "new", score: null, lastmodDay: 0, visitedDay: 0 } as const;
