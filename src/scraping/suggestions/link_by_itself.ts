/** Links are made without a person where a shop is `automatic` and the page is surely ours. */

import { requireRefusal } from "../../base/failure.ts";
import { findLogEnd } from "../../catalogue/products/change_log_store.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import {
  type Actor,
  type Clockwork,
  type Context,
  contextFor,
} from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { findCompetitor } from "../../shops/competitor_store.ts";
import {
  findAutomaticStand,
  listQueued,
  type QueuedSuggestion,
  queueSuggestion,
  saveAutomaticStand,
  takeQueued,
} from "../../shops/discovery/automatic_store.ts";
import type { StoredDiscovery } from "../../shops/discovery/discovery.ts";
import {
  checkDiscovery,
  findDiscovery,
  walkAllDiscoveries,
} from "../../shops/discovery/discovery_store.ts";
import type { StoredSuggestion } from "../../shops/discovery/suggestion.ts";
import {
  findSuggestion,
  findSuggestions,
  listSuggestionIds,
} from "../../shops/discovery/suggestion_store.ts";
import { addLink, requireTarget } from "../../shops/matches/create_match.ts";
import { fallBackIfTakenBack } from "./fall_back.ts";
import { fitsAutomatic } from "./fits_automatic.ts";
import type { ProductIndexes } from "./product_indexes.ts";
import { putDecision } from "./put_decision.ts";

/** Suggestions that are looked at before it is asked again what people took back. */
const LOOKED_AT = 50;
/** Suggestions of before that are queued in one commit. */
const QUEUED = 200;

/** Who links and begins the days of shops where no person does. */
export const DISCOVERY: Actor = { type: "system", id: "discovery", name: "Discovery" };

export interface LinkingSetup {
  readonly store: Store;
  readonly clockwork: Clockwork;
  readonly indexes: ProductIndexes;
  /** Private addresses that URLs may lead to all the same; empty in production. */
  readonly allowed: AddressAllowList;
}

type Linking = Context & Pick<LinkingSetup, "indexes" | "allowed">;

/**
 * Does what is to do at all automatic shops. May run in several processes, and break off anywhere: a link,
 * the end of its suggestion and its place among the shop's last links are one commit.
 */
export class SelfLinker {
  readonly #setup: LinkingSetup;
  /** By shop: up to where of the log of changes was asked what people took back. */
  readonly #askedAt = new Map<string, string>();

  constructor(setup: LinkingSetup) {
    this.#setup = setup;
  }

  async round(stopping: AbortSignal): Promise<void> {
    const { store, clockwork, indexes, allowed } = this.#setup;
    await eachApart("automatic links", walkAllDiscoveries(store), async (row) => {
      if (!isAtWork(row.discovery)) return;
      const { workspaceId, competitorId } = row;
      const requestId = clockwork.newId();
      const base = contextFor({ store, clockwork, requestId }, workspaceId, DISCOVERY);
      const ctx = { ...base, indexes, allowed };
      while (!stopping.aborted && !await this.#hasFallenBack(ctx, competitorId)) {
        if (!await linkSome(ctx, competitorId, stopping)) return;
      }
    });
  }

  /** Every link that is taken back is in the log of changes. */
  async #hasFallenBack(ctx: Linking, competitorId: string): Promise<boolean> {
    const end = await findLogEnd(ctx);
    const shop = `${ctx.workspaceId} ${competitorId}`;
    if (this.#askedAt.get(shop) === end) return false;
    const hasFallen = await fallBackIfTakenBack(ctx, competitorId);
    if (hasFallen) this.#askedAt.delete(shop);
    else this.#askedAt.set(shop, end);
    return hasFallen;
  }
}

/** While a day of the shop goes on, a page that was not seen yet may compete. */
function isAtWork({ settings, isPaused, jobId }: StoredDiscovery): boolean {
  return settings.mode === "automatic" && !isPaused && jobId === null;
}

/** False where nothing is to do. */
async function linkSome(
  ctx: Linking,
  competitorId: string,
  stopping: AbortSignal,
): Promise<boolean> {
  const shop = await findCompetitor(ctx, competitorId);
  if (!shop?.competitor.enabled) return false;
  const hasQueued = await queueEarlier(ctx, competitorId);
  const queued = await listQueued(ctx, competitorId, LOOKED_AT);
  for (const one of queued) {
    if (stopping.aborted) return false;
    await linkQueued(ctx, one);
  }
  return hasQueued || queued.length === LOOKED_AT;
}

/** Some of the suggestions that were there before; false where all are queued. */
async function queueEarlier(ctx: Linking, competitorId: string): Promise<boolean> {
  return await transact(ctx, async (write) => {
    const stand = await findAutomaticStand(ctx, competitorId);
    if (stand.before === null) return false;
    const from = stand.before === "" ? null : stand.before;
    const ids = await listSuggestionIds(ctx, "open", from, QUEUED);
    for (const one of await findSuggestions(ctx, ids)) {
      if (one.competitorId === competitorId && one.verdict === "same") {
        queueSuggestion(write, ctx.workspaceId, one);
      }
    }
    const before = ids.length < QUEUED ? null : ids.at(-1) ?? null;
    saveAutomaticStand(write, ctx.workspaceId, competitorId, stand, { ...stand, before });
    return before !== null;
  });
}

/** Links what fits, and takes it off the queue either way: what does not stays with people. */
async function linkQueued(ctx: Linking, queued: QueuedSuggestion): Promise<void> {
  try {
    await transact(ctx, async (write) => {
      const suggestion = await findSuggestion(ctx, queued.id);
      const found = await findDiscovery(ctx, queued.competitorId);
      // It goes on when people say so, or the day is over.
      if (!isAtWork(found.discovery)) return;
      takeQueued(write, ctx.workspaceId, queued);
      if (!suggestion || !await fitsAutomatic(ctx, ctx.indexes, suggestion)) return;
      checkDiscovery(write, ctx.workspaceId, queued.competitorId, found);
      await putLink(write, ctx, suggestion);
    });
  } catch (error) {
    // It may not be linked, or another process was faster: then it is off the queue already.
    requireRefusal(error);
    const left = await listQueued(ctx, queued.competitorId, LOOKED_AT);
    const same = left.find(({ id }) => id === queued.id);
    if (same) await transact(ctx, (write) => takeQueued(write, ctx.workspaceId, same));
  }
}

async function putLink(write: Write, ctx: Linking, suggestion: StoredSuggestion): Promise<void> {
  const { workspaceId } = ctx;
  const { productId, competitorId, page: { url } } = suggestion;
  const stand = await findAutomaticStand(ctx, competitorId);
  const target = requireTarget(url, ctx.allowed);
  const link = { productId, url, competitorId };
  const made = await addLink(write, ctx, link, target, "discovery");
  await putDecision(write, ctx, suggestion, { status: "accepted", rejectedAs: null });
  const linkIds = [...stand.linkIds, made.id];
  saveAutomaticStand(write, workspaceId, competitorId, stand, { ...stand, linkIds });
}
