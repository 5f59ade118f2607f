import { z } from "@hono/zod-openapi";
import { isId } from "../base/id.ts";
import { normaliseSku } from "../base/text.ts";
import { misfitOfSku } from "../catalogue/products/product_fields.ts";
import { findCard } from "../catalogue/products/card_store.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import { pageQuery } from "../platform/http/http.ts";
import { openCursor, type Page, toPage } from "../platform/http/page.ts";
import { requireProposal } from "./decide_proposal.ts";
import { type Proposal, type StoredProposal, toProposal } from "./proposal.ts";
import { PROPOSAL_STATUSES } from "./proposal_status.ts";
import { findTraces, listProposals, type ProposalIndex } from "./proposal_store.ts";

const filterText = z.string().max(300).optional();

/** Query of a list of proposals (docs/decisions/rules.md); an empty filter is no filter. */
export const ProposalQuery = z.strictObject({
  ...pageQuery(50, 200),
  status: z.union([z.literal(""), z.enum(PROPOSAL_STATUSES)]).optional(),
  ruleId: filterText,
  productId: filterText,
  sku: filterText,
  order: z.enum(["asc", "desc"]).optional()
    .meta({ description: "In the order of creation; `desc` is newest first" }),
});

export type ProposalQuery = z.infer<typeof ProposalQuery>;

/** The proposal with its trace. Refuses with `not_found`. */
export async function readProposal(workspace: WorkspaceStore, id: string): Promise<Proposal> {
  const { proposal } = await requireProposal(workspace, id);
  return await shownProposal(workspace, proposal);
}

export async function shownProposal(
  workspace: WorkspaceStore,
  proposal: StoredProposal,
): Promise<Proposal> {
  const traces = await findTraces(workspace, [proposal.id]);
  return toProposal(proposal, traces.get(proposal.id) ?? null);
}

/** One page in the order of creation, or newest first; all filters together. */
export async function pageOfProposals(ctx: Context, query: ProposalQuery): Promise<Page<Proposal>> {
  const { limit, cursor, order = "asc", ...filter } = query;
  const { status = "", ruleId = "", productId = "", sku = "" } = filter;
  // Cursors of before name no order.
  const filters = [status, ruleId, productId, sku, ...(order === "desc" ? [order] : [])];
  const list = `proposals ${JSON.stringify(filters)}`;
  let after = z.string().nullable().parse(openCursor(ctx, list, cursor));
  const index = await indexOf(ctx, filter);
  const rows: StoredProposal[] = [];
  while (index !== null && rows.length <= limit) {
    const read = await listProposals(ctx, index, after, limit + 1, order);
    rows.push(...read.filter((proposal) => isWanted(proposal, filter)));
    after = read.at(-1)?.id ?? null;
    if (read.length <= limit) break;
  }
  const { items, ...page } = toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
  const traces = await findTraces(ctx, items.map(({ id }) => id));
  return {
    items: items.map((proposal) => toProposal(proposal, traces.get(proposal.id) ?? null)),
    ...page,
  };
}

type Filter = Pick<ProposalQuery, "status" | "ruleId" | "productId" | "sku">;

/** The narrowest way; null when nothing can be found. */
async function indexOf(
  workspace: WorkspaceStore,
  { status, ruleId, productId, sku }: Filter,
): Promise<ProposalIndex | null> {
  if (productId && !isId(productId)) return null;
  if (sku) {
    const text = normaliseSku(sku);
    const card = misfitOfSku(text) === null ? await findCard(workspace, text) : null;
    const isOther = productId && productId !== card?.id;
    return card === null || isOther ? null : { by: "product", id: card.id };
  }
  if (productId) return { by: "product", id: productId };
  if (ruleId) return isId(ruleId) ? { by: "rule", id: ruleId } : null;
  return status ? { by: "status", status } : { by: "all" };
}

/** A SKU counts as it is now: the index has led to its product. */
function isWanted(proposal: StoredProposal, { status, ruleId }: Filter): boolean {
  return (!status || proposal.status === status) && (!ruleId || proposal.ruleId === ruleId);
}
