/** What checks of the store need to know of rows that follow from products. */
import type { RowSums } from "../base/row_sums.ts";
import type { WorkspaceStore } from "../platform/store/context.ts";
import type { Product } from "./products/product.ts";

/** A product as its document says it, and on which side of the table that stands. */
export interface CheckedProduct {
  readonly product: Product;
  readonly isDeleted: boolean;
}

/** The products whose rows are looked at one by one. */
export interface CheckedGroup {
  /** By id. */
  readonly products: ReadonlyMap<string, CheckedProduct>;
  /** True for ids of the group, also of products that there are not. */
  has(productId: string): boolean;
}

/**
 * Rows that follow from products. They are compared twice: by sums, in which what stands there and what
 * must is nothing but text, and by `compare` where the sums differ. Whatever `compare` names must
 * make a difference there.
 */
export interface DerivedRows {
  /** The rows that a product must have, each as one text. */
  expect(product: CheckedProduct): Iterable<string>;
  /** Tells the sums of every row that is there, and names what is wrong with one by itself. */
  survey(workspace: WorkspaceStore, sums: RowSums): AsyncGenerator<string>;
  /** Names what is missing, too much or different in a group. */
  compare(workspace: WorkspaceStore, group: CheckedGroup): AsyncGenerator<string>;
}
