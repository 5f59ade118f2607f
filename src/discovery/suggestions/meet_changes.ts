/** New and changed products meet the pages that are known, by their numbers: no shop is asked. */
import {
  findLogEnd,
  findLogSweep,
  listChanges,
} from "../../catalogue/products/change_log_store.ts";
import { findDocuments, listDocuments } from "../../catalogue/products/product_store.ts";
import type { StoredDocument } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product_wire.ts";
import { findDiscovery, walkAllDiscoveries } from "../../competitors/discovery/discovery_store.ts";
import { findMetChanges, saveMetChanges } from "../../competitors/discovery/met_changes_store.ts";
import { findPagesByNumber } from "../../competitors/discovery/page_store.ts";
import { eachApart } from "../../platform/jobs/each_apart.ts";
import type { Clockwork, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { suggestPage } from "./suggest.ts";

/** Commits of the log, and products of a whole pass, that are looked at before it is noted. */
const CHANGES = 200;
const PRODUCTS = 200;

interface Setup {
  readonly store: Store;
  readonly clockwork: Clockwork;
}

/** Goes on in every workspace that looks for pages; what broke off is looked at again. */
export async function meetChanges(
  { store, clockwork }: Setup,
  stopping: AbortSignal,
): Promise<void> {
  const workspaceIds = new Set<string>();
  for await (const { workspaceId, discovery } of walkAllDiscoveries(store)) {
    if (discovery.settings.mode !== "off") workspaceIds.add(workspaceId);
  }
  await eachApart("known pages", workspaceIds, async (workspaceId) => {
    const ctx = { ...clockwork, store, workspaceId };
    while (!stopping.aborted && await meetSome(ctx, stopping));
  });
}

type Meeting = WorkspaceStore & Pick<Clockwork, "now" | "newId">;

/** True where there is more. */
async function meetSome(ctx: Meeting, stopping: AbortSignal): Promise<boolean> {
  const met = await findMetChanges(ctx);
  const { position } = met;
  if (position === null) {
    // What is visited from here on meets all products that are there.
    const end = await findLogEnd(ctx);
    await transact(ctx, (write) => saveMetChanges(write, ctx, met, end));
    return false;
  }
  const changes = await listChanges(ctx, position, CHANGES);
  const sweep = await findLogSweep(ctx);
  if (sweep !== null && sweep.swept > position) {
    const end = await findLogEnd(ctx);
    await meetAll(ctx, stopping);
    if (!stopping.aborted) await transact(ctx, (write) => saveMetChanges(write, ctx, met, end));
    return false;
  }
  const last = changes.at(-1);
  if (!last) return false;
  const ids = [...new Set(changes.flatMap(({ productIds }) => productIds))];
  for (const document of await findDocuments(ctx, ids)) await meetPages(ctx, document);
  await transact(ctx, (write) => saveMetChanges(write, ctx, met, last.position));
  return changes.length === CHANGES;
}

/** What was changed longer ago than the log goes back: every product. */
async function meetAll(ctx: Meeting, stopping: AbortSignal): Promise<void> {
  for (let after: string | null = null; !stopping.aborted;) {
    const documents: readonly StoredDocument[] = await listDocuments(ctx, after, PRODUCTS);
    for (const document of documents) await meetPages(ctx, document);
    after = documents.at(-1)?.id ?? null;
    if (documents.length < PRODUCTS || after === null) return;
  }
}

/** A page a commit: who visits it meanwhile says the same. */
async function meetPages(ctx: Meeting, { bytes }: StoredDocument): Promise<void> {
  const { id, ean, mpn } = parseProduct(bytes);
  for (const found of await findPagesByNumber(ctx, { ean, mpn })) {
    await transact(ctx, async (write) => {
      const { discovery } = await findDiscovery(ctx, found.competitorId);
      if (discovery.settings.mode === "off") return;
      const isAutomatic = discovery.settings.mode === "automatic";
      await suggestPage(write, ctx, { ...found, isAutomatic }, [{ productId: id, score: null }]);
    });
  }
}
