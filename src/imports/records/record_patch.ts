/** The result of judging a record: the changes that it asks for, and its findings. */
import type { Product, TierPrice } from "../../catalogue/products/product.ts";
import type { RecordAmountName, RecordName } from "../../catalogue/products/product_field_table.ts";
import type { FileLink } from "../../shops/matches/link_plan.ts";
import type { Finding } from "../files/finding.ts";
import type { FileDay } from "./file_date.ts";

/** A row in the currency that its record names, or in that of its product, read as if in `currency`. */
export interface PatchRow extends TierPrice {
  /** The row itself says so: its record names no currency, and other rows another one or none. */
  readonly isNamed?: true;
}

/** Amounts that may come from a price row. */
export type FedField = "ourPriceCents" | "costPriceCents" | "targetPriceCents";

/** Fields that a record says by themselves. */
export type RecordFields = { -readonly [Name in RecordName]?: Product[Name] };

/** Amounts that a record says by themselves, in minor units of `amountsIn`. */
export type RecordAmounts = { -readonly [Name in RecordAmountName]?: number | null };

/**
 * The changes that one record asks for. A field that the record lacks is absent and stays as it is;
 * null clears it. Keys come in this order, so that equal patches have equal JSON.
 */
export interface RecordPatch extends RecordFields, RecordAmounts {
  sku: string;
  /** The product was found by its EAN; when it has gone meanwhile, none is made. */
  isFound?: true;
  /** The record asks for the product to be deleted; it then says nothing else. */
  isDeleted?: true;
  /** Absent when the file names none: the product's own, or the workspace's for a new one. */
  currency?: string;
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
  /** Those that the record names; an empty one goes. The others stay. */
  attributes?: Readonly<Record<string, string>>;
  /** Every address is one that may be kept. */
  links?: readonly FileLink[];
}

/** Texts of the file by the names of fields as they are read: `title`, `ourPrice`. */
export type WrittenValues = Readonly<Record<string, string>>;

/** A record of the upload, judged. `patch` is null when the record is refused. */
export interface EvaluatedRecord {
  /** From 0 over the whole upload. */
  readonly index: number;
  readonly line: number;
  readonly sku: string | null;
  readonly patch: RecordPatch | null;
  readonly findings: readonly Finding[];
  readonly written?: WrittenValues;
  /** Units sold of its product; absent if it says nothing of them. */
  readonly sold?: readonly FileDay[];
  /**
   * Of a table: its price where all amounts are digits alone and that one has three or more of them, as
   * amounts in cents have; null where one is written otherwise, absent where it has no price.
   */
  readonly wholePrice?: string | null;
  /** A refused record in the house format; null for an accepted one. */
  readonly refusedXml: string | null;
  /** Of a table: the cells of its rows, one or those of one SKU. */
  readonly rows?: readonly (readonly (string | null)[])[];
  /** Nothing is done about it: not sold, or not known by its EAN. Its product is not missing. */
  readonly isPassedOver?: true;
  /** The EAN by which it finds its product, whose SKU the patch then lacks still. */
  readonly byEan?: string;
}
