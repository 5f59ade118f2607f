/** Reads a shop's product feed with the code that also reads import files. */
import { ImportProfile } from "../../imports/profiles/xml_profile.ts";
import { googleMerchant, TABLE_TEMPLATES } from "../../imports/profiles/built_in_profiles.ts";
import { TableProfile } from "../../imports/profiles/table_profile.ts";
import type { RecordPatch } from "../../imports/records/record_patch.ts";
import {
  readUpload,
  type UploadLimits,
  type UploadPart,
} from "../../imports/upload/read_upload.ts";
import type { FeedFormat } from "../../shops/pages/discovery_store.ts";
import { PAGE_GTINS_MAX, type ShopPage } from "../../shops/pages/found_page_store.ts";
import { domainOf, normaliseUrl, parseAddress, urlHashOf } from "../../shops/domain.ts";

export const FEED_MAX = {
  bodyBytes: 200 * 1024 * 1024,
  unpackedBytes: 1024 * 1024 * 1024,
  items: 500_000,
  files: 20,
} as const;

const TEXT_CHARACTERS_MAX = 100;

interface FeedSetting {
  readonly format: FeedFormat;
  readonly domain: string;
  readonly currency: string;
  readonly timeZone: string;
  readonly today: string;
  readonly at: string;
  readonly acceptsAddress: (text: string) => boolean;
  readonly limits: UploadLimits;
}

export interface FeedEntry {
  readonly urlHash: string;
  readonly page: ShopPage;
}

type FeedEvent =
  | { readonly kind: "entries"; readonly entries: readonly FeedEntry[]; readonly foreign: number }
  /** `cut`: the feed is broken or too long; the entries that were already yielded remain valid. */
  | { readonly kind: "cut"; readonly errorCode: string };

export async function* readFeed(
  parts: readonly UploadPart[],
  setting: FeedSetting,
): AsyncGenerator<FeedEvent> {
  const { format, currency, timeZone, today, acceptsAddress, limits } = setting;
  const isXml = format === "merchant_xml";
  const reading = readUpload(parts.map((part) => ({ ...part, isXml })), {
    xml: limits.xml,
    ratioMax: limits.ratioMax,
    itemsMax: Math.min(limits.itemsMax, FEED_MAX.items),
    filesMax: Math.min(limits.filesMax, FEED_MAX.files),
    unpackedBytesMax: Math.min(limits.unpackedBytesMax, FEED_MAX.unpackedBytes),
    profile: isXml ? FEED_XML : null,
    profiles: isXml ? [FEED_XML] : FEED_TABLES,
    tier: null,
    allowsNoPrices: true,
    workspaceCurrency: currency,
    // Prices in feeds include VAT.
    vat: { side: "gross", ratePct: null },
    timeZone,
    today,
    acceptsAddress,
  });
  let hasPacks = isXml;
  for await (const event of reading) {
    if (event.kind === "table") hasPacks = event.table.profile.id === FEED_PROFILE_ID;
    if (event.kind === "refused") yield { kind: "cut", errorCode: event.finding.code };
    if (event.kind === "records") {
      const patches = event.records.flatMap(({ patch }) => patch ?? []);
      yield { kind: "entries", ...entriesOf(patches, hasPacks, setting) };
    }
  }
}

function entriesOf(
  patches: readonly RecordPatch[],
  hasPacks: boolean,
  setting: FeedSetting,
): { readonly entries: FeedEntry[]; readonly foreign: number } {
  const entries: FeedEntry[] = [];
  let foreign = 0;
  for (const patch of patches) {
    const url = patch.url ? parseAddress(patch.url) : null;
    if (url === null) continue;
    if (domainOf(url) !== setting.domain) foreign += 1;
    else {
      const page = pageOf(url, patch, hasPacks, setting);
      if (page !== null) entries.push({ urlHash: urlHashOf(url), page });
    }
  }
  return { entries, foreign };
}

function pageOf(
  url: URL,
  { sku, title, brand, ean, mpn, condition, ourPriceCents, amountsIn, stock }: RecordPatch,
  hasPacks: boolean,
  { at, currency }: FeedSetting,
): ShopPage | null {
  if (!title && !ean && !mpn) return null;
  const pack = hasPacks && typeof stock === "number" && Number.isInteger(stock) && stock > 1 &&
      // Profiles for feeds read the column `multipack` into `stock`, so this is the pack size.
      stock <= 10_000
    ? stock
    : null;
  return {
    url: normaliseUrl(url),
    title: title?.slice(0, 300).toWellFormed() ?? null,
    brand: brand?.slice(0, TEXT_CHARACTERS_MAX).toWellFormed() ?? null,
    gtin: ean ?? null,
    gtins: ean ? [ean] : [],
    mpn: mpn?.slice(0, TEXT_CHARACTERS_MAX).toWellFormed() ?? null,
    sku: sku.slice(0, TEXT_CHARACTERS_MAX).toWellFormed(),
    condition: condition ?? null,
    price: ourPriceCents ?? null,
    currency: ourPriceCents === undefined ? null : amountsIn ?? currency,
    availability: null,
    isOpenVariant: false,
    pack,
    foundBy: "feed",
    seenAt: at,
  };
}

/**
 * Merges two feed entries for the same page; if their prices differ, the merged page has no price.
 * Merging an entry twice changes nothing.
 */
export function joinedPage(known: ShopPage, entry: ShopPage): ShopPage {
  const gtins = [...new Set([...known.gtins, ...entry.gtins])].slice(0, PAGE_GTINS_MAX);
  const isOne = known.price === entry.price && known.currency === entry.currency;
  const { price, currency } = isOne ? known : { price: null, currency: null };
  const same = <T>(one: T, other: T): T | null => one === other ? one : null;
  return {
    ...known,
    gtins,
    gtin: gtins.length === 1 ? gtins[0] ?? null : null,
    mpn: same(known.mpn, entry.mpn),
    sku: same(known.sku, entry.sku),
    condition: same(known.condition, entry.condition),
    price,
    currency,
    pack: same(known.pack, entry.pack),
    isOpenVariant: known.isOpenVariant || gtins.length > 1 || known.sku !== entry.sku,
  };
}

const FEED_PROFILE_ID = "shop-feed";

const FEED_XML: ImportProfile = ImportProfile.parse({
  ...googleMerchant,
  id: FEED_PROFILE_ID,
  fields: { ...googleMerchant.fields, stock: { path: "MULTIPACK" } },
});

const FEED_TABLES: readonly TableProfile[] = TABLE_TEMPLATES
  .filter(({ id }) => id === googleMerchant.id)
  .map((template) =>
    TableProfile.parse({
      ...template,
      id: FEED_PROFILE_ID,
      fields: { ...template.fields, stock: { columns: ["multipack"] } },
    })
  );
