/** Records that name their product by its EAN get its SKU. */
import { isGtin } from "../../base/gtin.ts";
import { listCards } from "../../catalogue/products/card_store.ts";
import { numbersOf, SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { type Finding, type FindingCode, findingOf } from "../files/finding.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";

/** As GTIN-14: an EAN is the same with zeros before it. */
const DIGITS = 14;

/** Finds the active products that have an EAN, for as long as one upload is read. */
export class EanFinder {
  readonly #workspace: WorkspaceStore;
  /** Ids of the products among whose numbers an EAN is; made when the first record asks. */
  #ids: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(workspace: WorkspaceStore) {
    this.#workspace = workspace;
  }

  /** The records, those that name an EAN with the SKU of its product, or passed over. */
  async found(
    records: readonly EvaluatedRecord[],
    file: string,
  ): Promise<readonly EvaluatedRecord[]> {
    const eans = records.flatMap(({ byEan }) => byEan ?? []);
    if (eans.length === 0) return records;
    const skus = await this.#skusOf(eans);
    return records.map((record) =>
      record.byEan === undefined
        ? record
        : named(record, record.byEan, skus.get(comparedEan(record.byEan)) ?? [], file)
    );
  }

  async #skusOf(eans: readonly string[]): Promise<Map<string, string[]>> {
    this.#ids ??= await idsByNumber(this.#workspace);
    const ids = this.#ids;
    const asked = [...new Set(eans.flatMap((ean) => ids.get(comparedEan(ean)) ?? []))];
    const skus = new Map<string, string[]>();
    for (const { bytes } of await findDocuments(this.#workspace, asked)) {
      // A number may be that of the manufacturer: the product itself says which is its EAN.
      const { sku, ean } = parseProduct(bytes);
      if (ean === null) continue;
      const key = comparedEan(ean);
      skus.set(key, [...skus.get(key) ?? [], sku]);
    }
    return skus;
  }
}

function comparedEan(ean: string): string {
  return ean.padStart(DIGITS, "0");
}

/** One walk over the cards, which have the numbers that a search looks for. */
async function idsByNumber(workspace: WorkspaceStore): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  const slice = new TimeSlice();
  for (const shard of SHARD_NUMBERS) {
    for await (const { card } of listCards(workspace, shard)) {
      if (card.isDeleted) continue;
      for (const number of numbersOf(card.text)) {
        if (!isGtin(number)) continue;
        const key = comparedEan(number);
        const known = ids.get(key);
        if (known) known.push(card.id);
        else ids.set(key, [card.id]);
      }
    }
    await slice.yield();
  }
  return ids;
}

function named(
  { byEan: _key, ...record }: EvaluatedRecord,
  ean: string,
  skus: readonly string[],
  file: string,
): EvaluatedRecord {
  const [sku, ...others] = skus;
  const { index, line, patch } = record;
  const refused = (severity: Finding["severity"], code: FindingCode, message: string) => ({
    ...record,
    patch: null,
    findings: [
      ...record.findings,
      findingOf(severity, code, message, { index, file, line, value: ean }),
    ],
  });
  if (sku === undefined || patch === null) {
    const message = `No product has the EAN "${ean}": the row is passed over`;
    return { ...refused("warning", "unknown_ean", message), isPassedOver: true };
  }
  if (others.length > 0) {
    const message = `${skus.length} products have the EAN "${ean}": the row could be any of them`;
    return refused("error", "ambiguous_ean", message);
  }
  return {
    ...record,
    sku,
    patch: { ...patch, sku, isFound: true },
    findings: record.findings.map((finding) => ({ ...finding, sku })),
  };
}
