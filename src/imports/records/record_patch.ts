import type { Product, TierPrice } from "../../catalogue/products/product.ts";
import type { RecordName } from "../../catalogue/products/product_field_table.ts";
import type { FileLink } from "../../competitors/matches/link_plan.ts";
import type { Finding } from "../findings/finding.ts";

/** A row in the currency that its record names, or in that of its product, read as if in `currency`. */
export interface PatchRow extends TierPrice {
  /** The row itself says so: its record names no currency, and other rows another one or none. */
  readonly isNamed?: true;
}

/** Amounts that may come from a price row. */
export type FedField = "ourPriceCents" | "costPriceCents" | "targetPriceCents";

/** Fields that a record says by themselves. */
export type RecordFields = { -readonly [Name in RecordName]?: Product[Name] };

/**
 * What one record says of one product. A field that the record lacks is absent and stays as it is;
 * null clears it. Keys come in this order, so that equal patches have equal JSON.
 */
export interface RecordPatch extends RecordFields {
  sku: string;
  /** The record asks for the product to be deleted; it then says nothing else. */
  isDeleted?: true;
  /** Absent when the file names none: the product's own, or the workspace's for a new one. */
  currency?: string;
  costPriceCents?: number | null;
  targetPriceCents?: number | null;
  tier?: string | null;
  ourPriceCents?: number;
  prices?: {
    /** Tiers whose stored prices `rows` replace; one without rows loses its prices. */
    readonly tiers: readonly (string | null)[];
    readonly rows: readonly PatchRow[];
    /** The tier that each of these amounts is from; there when a row is named. */
    readonly feeds?: Readonly<Partial<Record<FedField, string | null>>>;
  };
  /** The currency of cost, target and own price; there when there is one of them. */
  amountsIn?: string;
  /** Every address is one that may be kept. */
  links?: readonly FileLink[];
}

/** A record of the upload, judged. `patch` is null when the record is refused. */
export interface EvaluatedRecord {
  /** From 0 over the whole upload. */
  readonly index: number;
  readonly line: number;
  readonly sku: string | null;
  readonly patch: RecordPatch | null;
  readonly findings: readonly Finding[];
  /** A refused record in the house format; null for an accepted one. */
  readonly refusedXml: string | null;
}
