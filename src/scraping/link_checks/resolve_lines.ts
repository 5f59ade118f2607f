/** Finds the product and the shop of a line, without a request. */
import { gtin14 } from "../../base/gtin.ts";
import { normaliseSku } from "../../base/text.ts";
import { NearSkus } from "../../catalogue/lists/near_skus.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { skuError } from "../../catalogue/products/product_fields.ts";
import { listDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { CompetitorSet } from "../../shops/competitor_store.ts";
import { parseMatchUrl } from "../../shops/domain.ts";
import type { LineError } from "./check_codes.ts";
import type { RawLine, StoredCheckLine, WaitingLine } from "./link_check.ts";

type ResolvedLine =
  | { readonly kind: "waits"; readonly competitorId: string; readonly line: WaitingLine }
  | { readonly kind: "checked"; readonly line: StoredCheckLine };

const PRODUCTS_PER_READ = 500;

/** Product ids by 14-digit GTIN; null if several products have the number. */
type GtinIndex = ReadonlyMap<string, string | null>;

export interface LineNumbers {
  readonly gtins: GtinIndex;
  readonly nearSkus: ReadonlyMap<string, readonly string[]>;
  /** For each unknown GTIN, the SKUs of products with a similar GTIN. */
  readonly nearGtins: ReadonlyMap<string, readonly string[]>;
}

export async function findUnknownSkus(
  workspace: WorkspaceStore,
  skus: ReadonlySet<string>,
): Promise<string[]> {
  const indexRows = await findIndexRows(workspace, [...skus]);
  return [...skus].filter((sku) => indexRows.get(sku)?.isDeleted ?? true);
}

/** Active products only. Reads all products once. */
export async function findGtins(
  workspace: WorkspaceStore,
  given: ReadonlySet<string>,
  goOn: () => Promise<void>,
): Promise<Pick<LineNumbers, "gtins" | "nearGtins">> {
  const wanted = new Set([...given].flatMap((text) => gtin14(text) ?? []));
  const near = new NearSkus([...given].map(digitsOf));
  const found = new Map<string, string | null>();
  const ended = () => ({
    gtins: found,
    nearGtins: new Map([...given].map((text) => [text, near.of(digitsOf(text))] as const)),
  });
  for (let after: string | null = null;;) {
    const documents = await listDocuments(workspace, after, PRODUCTS_PER_READ);
    for (const { id, bytes } of documents) {
      const { ean, sku } = parseProduct(bytes);
      if (ean !== null) near.pass(digitsOf(ean), sku);
      const gtin = ean === null ? null : gtin14(ean);
      if (gtin !== null && wanted.has(gtin)) found.set(gtin, found.has(gtin) ? null : id);
    }
    after = documents.at(-1)?.id ?? null;
    if (after === null || documents.length < PRODUCTS_PER_READ) return ended();
    await goOn();
  }
}

/** A GTIN may be written with or without leading zeros. */
function digitsOf(gtin: string): string {
  return gtin.replace(/\D+/g, "").replace(/^0+/, "");
}

/** The result has the order of `lines`. `first` is the number of the first line. */
export async function resolveLines(
  workspace: WorkspaceStore,
  { lines, first, at }: {
    readonly lines: readonly RawLine[];
    readonly first: number;
    readonly at: string;
  },
  { shops, numbers: { gtins, nearSkus, nearGtins }, allowed }: {
    readonly shops: CompetitorSet;
    readonly numbers: LineNumbers;
    readonly allowed: AddressAllowList;
  },
): Promise<ResolvedLine[]> {
  const skus = lines.flatMap(({ sku }) => skuOf(sku) ?? []);
  const indexRows = await findIndexRows(workspace, [...new Set(skus)]);
  return lines.map((raw, position) => {
    const line = first + position;
    const sku = skuOf(raw.sku);
    const meantBy = (validationError: LineError) => {
      if (validationError === "unknown_sku") return nearSkus.get(sku ?? "");
      return validationError === "unknown_gtin" ? nearGtins.get(raw.gtin ?? "") : undefined;
    };
    const refused = (
      validationError: LineError,
      competitorId: string | null = null,
    ): ResolvedLine => ({
      kind: "checked",
      line: {
        ...blankLine(raw, line, at),
        // The line may be right, but its shop is disabled.
        outcome: validationError === "shop_off" ? "failed" : "wrong",
        errorCode: validationError,
        competitorId,
        nearSkus: [...meantBy(validationError) ?? []],
      },
    });
    if (raw.misfit !== null) return refused(raw.misfit);
    const indexRow = sku === null ? undefined : indexRows.get(sku);
    const gtin = raw.gtin === null ? null : gtin14(raw.gtin);
    const byGtin = gtin === null ? undefined : gtins.get(gtin);
    if (raw.gtin !== null && byGtin === null) return refused("several_products");
    const productId = raw.gtin === null ? (indexRow?.isDeleted ? undefined : indexRow?.id) : byGtin;
    if (!productId) return refused(raw.gtin === null ? "unknown_sku" : "unknown_gtin");
    const parsed = parseMatchUrl(raw.url, allowed);
    if ("reason" in parsed) return refused("bad_url");
    const shop = shops.byDomain.get(parsed.target.domain);
    if (!shop) return refused("unknown_shop");
    if (!shop.enabled) return refused("shop_off", shop.id);
    const { packFactor, url } = raw;
    const waiting = { line, productId, sku: raw.sku, gtin: raw.gtin, url, packFactor };
    return { kind: "waits", competitorId: shop.id, line: waiting };
  });
}

export function skuOf(text: string | null): string | null {
  const sku = text === null ? null : normaliseSku(text);
  return sku !== null && skuError(sku) === null ? sku : null;
}

export function blankLine(
  { sku, gtin, url, packFactor }: Pick<RawLine, "sku" | "gtin" | "url" | "packFactor">,
  line: number,
  checkedAt: string,
): Omit<StoredCheckLine, "outcome"> {
  return {
    line,
    sku,
    nearSkus: [],
    gtin,
    url,
    packFactor,
    status: "open",
    productId: null,
    title: null,
    competitorId: null,
    competitorProductId: null,
    verdict: null,
    reasons: [],
    page: null,
    price: null,
    currency: null,
    errorCode: null,
    message: null,
    checkedAt,
  };
}
