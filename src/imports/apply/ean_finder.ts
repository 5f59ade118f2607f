/** Finds the SKUs of records that name their product by its EAN. */
import { isGtin } from "../../base/codes.ts";
import { listIndexRows } from "../../catalogue/products/index_row_store.ts";
import { numbersOf, parseProduct, SHARD_NUMBERS } from "../../catalogue/products/product.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type Finding, type FindingCode, findingOf } from "../files/source_file.ts";
import type { EvaluatedRecord } from "../records/record_patch.ts";

const GTIN_14_DIGITS = 14;

export type EanFinder = ReturnType<typeof createEanFinder>;

export function createEanFinder(workspace: WorkspaceStore) {
  let idsByEan: ReadonlyMap<string, readonly string[]> | null = null;
  const sparedEans = new Set<string>();

  async function skusOf(eans: readonly string[]): Promise<Map<string, string[]>> {
    const ids = idsByEan ??= await idsByNumber(workspace);
    const asked = [...new Set(eans.flatMap((ean) => ids.get(comparedEan(ean)) ?? []))];
    const skus = new Map<string, string[]>();
    for (const { bytes } of await findDocuments(workspace, asked)) {
      const { sku, ean } = parseProduct(bytes);
      if (ean !== null) skus.getOrInsertComputed(comparedEan(ean), () => []).push(sku);
    }
    return skus;
  }

  return async (records: readonly EvaluatedRecord[], file: string) => {
    const eans = records.flatMap(({ byEan }) => byEan ?? []);
    if (eans.length === 0) return records;
    const skus = await skusOf(eans);
    return records.map((record) => {
      if (record.byEan === undefined) return record;
      const ean = comparedEan(record.byEan);
      const found = named(record, record.byEan, skus.get(ean) ?? [], file);
      if (!found.spared?.length) return found;
      // The products of an EAN are named once, because many records may have the same EAN.
      if (sparedEans.has(ean)) return { ...found, spared: [] };
      sparedEans.add(ean);
      return found;
    });
  };
}

function comparedEan(ean: string): string {
  return ean.padStart(GTIN_14_DIGITS, "0");
}

async function idsByNumber(workspace: WorkspaceStore): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  const slice = new TimeSlice();
  for (const shard of SHARD_NUMBERS) {
    for await (const { indexRow } of listIndexRows(workspace, shard)) {
      if (indexRow.isDeleted) continue;
      for (const number of numbersOf(indexRow.text)) {
        if (!isGtin(number)) continue;
        ids.getOrInsertComputed(comparedEan(number), () => []).push(indexRow.id);
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
  const { index, line, patch } = record;
  const [sku = null] = skus.length === 1 ? skus : [];
  const found = { ...record, sku, findings: record.findings.map((one) => ({ ...one, sku })) };
  if (patch === null) return { ...found, spared: skus };
  if (sku !== null) return { ...found, patch: { ...patch, sku, isFound: true } };
  const refused = (severity: Finding["severity"], code: FindingCode, message: string) => {
    const finding = findingOf(severity, code, message, { index, file, line, value: ean });
    return { ...found, patch: null, findings: [...found.findings, finding], spared: skus };
  };
  if (skus.length === 0) {
    const message = `No product has the EAN "${ean}": the row is skipped`;
    return { ...refused("warning", "unknown_ean", message), isPassedOver: true };
  }
  const message = `${skus.length} products have the EAN "${ean}": send the SKU instead`;
  return refused("error", "ambiguous_ean", message);
}
