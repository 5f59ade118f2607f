/** The shared context of a discovery's steps. */

import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import type { Write } from "../../platform/store/kv.ts";
import { checkCompetitor, type StoredCompetitor } from "../../shops/competitor_store.ts";
import {
  findDiscovery,
  saveDiscovery,
  type StoredDiscovery,
} from "../../shops/discovery/discovery_store.ts";
import type { ShopPlace } from "../../shops/discovery/url_store.ts";
import {
  type DiscoveryCursor,
  type DiscoveryDeps,
  type DiscoveryJob,
  withWork,
} from "./discovery_job.ts";

export type Tools = StepTools<DiscoveryJob>;
export type Step = StepResult<DiscoveryJob>;

/** A job and the shop that it is about, as both were read for this step. */
export interface ShopStep {
  readonly deps: DiscoveryDeps;
  readonly job: DiscoveryJob;
  readonly cursor: DiscoveryCursor;
  readonly tools: Tools;
  readonly shop: StoredCompetitor;
  readonly discovery: StoredDiscovery;
  readonly place: ShopPlace;
}

/** Addresses of a shop; what goes beyond is not kept. */
export const URLS_MAX = 2_000_000;

export function roomForUrls({ discovery, job }: ShopStep): number {
  return Math.max(0, URLS_MAX - withWork(discovery.counts, job).urls);
}

/** A shop that asks for more is asked for nothing less. */
const CRAWL_DELAY_MS_MAX = 60_000;

/** Between the starts of two requests of discovery: what everybody keeps, and what the shop asks for. */
export function delayOf({ deps, cursor }: Pick<ShopStep, "deps" | "cursor">): number {
  return Math.max(deps.scraper.delayMs, Math.min(cursor.crawlDelayMs, CRAWL_DELAY_MS_MAX));
}

/** The commit fails when the shop was changed, or goes. */
export function checkShop(write: Write, { tools, shop }: Pick<ShopStep, "tools" | "shop">): void {
  checkCompetitor(write, tools.workspaceId, shop);
}

/** Changes the shop's row in this step's commit. */
export async function noteShop(
  { tools, shop: { competitor: { id } } }: ShopStep,
  changed: (before: StoredDiscovery) => Partial<StoredDiscovery>,
): Promise<void> {
  const found = await findDiscovery(tools, id);
  const after = { ...found.discovery, ...changed(found.discovery) };
  saveDiscovery(tools.write, tools.workspaceId, id, found, after);
}
