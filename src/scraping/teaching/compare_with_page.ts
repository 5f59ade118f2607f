/** Whether the page of a preview shows the product that it is to be linked to. */
import { isId } from "../../base/id.ts";
import { noSuchProduct } from "../../catalogue/lists/find_product.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { judgeLink } from "../../shops/matches/judge_link.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { articleOf } from "../page/page_article.ts";
import type { Preview, ReadPage } from "./preview.ts";

/** The active product of an id. Refuses with `not_found`. */
export async function requireCompared(workspace: WorkspaceStore, id: string): Promise<Product> {
  const found = isId(id) ? await findProduct(workspace, id) : null;
  if (!found) throw noSuchProduct(id);
  return found.product;
}

/**
 * The verdict on the page as one that a person links, for so many pieces of ours; none without a product
 * or a page.
 */
export function compareWithPage(
  ours: Product | null,
  { status, page, pageStatus }: Pick<ReadPage, "status" | "page" | "pageStatus">,
  packFactor = 1,
): Pick<Preview, "verdict" | "reasons"> {
  // A refusal is no page: it says nothing of any product.
  if (ours === null || page === null || (status !== "ok" && page.title === null)) {
    return { verdict: null, reasons: [] };
  }
  const { verdict, reasons } = judgeLink(
    ours,
    packFactor,
    articleOf(page, pageStatus ?? "unread"),
  );
  return { verdict, reasons: [...reasons] };
}
