import { pagesOf } from "../../api/answers.ts";
import type { Caller } from "../../caller.ts";
import type { TestApp } from "../../harness.ts";
import { JobRunner } from "../../../src/platform/jobs/job_runner.ts";
import { roomLog } from "../../../src/platform/log.ts";
import {
  addThinningJobs,
  createThinningKind,
} from "../../../src/shops/observations/retention_job.ts";
import type {
  Observation,
  ObservationDocument,
  PlacedObservation,
} from "../../../src/shops/observations/observation.ts";
import type { PushOutcome } from "../../../src/shops/recording/record_rows.ts";
import type { Context } from "../../../src/platform/store/context.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { addObservation } from "../../../src/shops/observations/observation_store.ts";
import { insertRows, PRODUCT_PACK, putBlock } from "../../../src/shops/observations/pack_store.ts";

export async function thinningRunner(
  { store, clock, app }: TestApp,
  kind = createThinningKind({ retentionDays: 400 }),
): Promise<JobRunner> {
  await addThinningJobs({ store, clock: app.clock }, clock.now());
  const [boot, log] = [app.clock.newId(), roomLog("test")];
  return new JobRunner({ store, clock: app.clock, boot, kinds: [kind], log });
}

/** `price` is in euros; without `atMs`, the time of the observation is now. */
export function priceRow(sku: string, url: string, price: number, atMs?: number) {
  const observedAt = atMs === undefined ? null : new Date(atMs).toISOString();
  return { sku, url, price, currency: "EUR", observedAt };
}

const PATH = "/api/public/v1/observations";

export async function pushed(key: Caller, observations: unknown[]): Promise<PushOutcome> {
  const body = await key.act<{ data: PushOutcome }>(PATH, { observations });
  return body.data;
}

/** Reads all pages, and fails if a page before the last is not full. */
export async function listed(
  key: Caller,
  query: string,
  limit = 100,
): Promise<ObservationDocument[]> {
  const pages = await Array.fromAsync(pagesOf(key, `${PATH}?limit=${limit}&${query}`));
  for (const [n, { count, data }] of pages.entries()) {
    if (count !== data.length) throw new Error("The count is not that of the page");
    if (count !== limit && n < pages.length - 1) {
      throw new Error(`A page of ${count} is not the last`);
    }
  }
  return pages.flatMap(({ data }) => data);
}

export const anObservation = (
  terms:
    & Pick<Observation, "productId" | "matchId" | "competitorId" | "priceCents" | "observedAtMs">
    & Partial<Observation>,
): Observation => ({
  currency: "EUR",
  availability: "in_stock",
  listPriceCents: null,
  shippingCents: null,
  method: null,
  confidence: 1,
  source: "push",
  runId: null,
  ...terms,
});

/** `isPacked` stores several observations per row, as the nightly retention job does. */
export async function addObservations(
  ctx: Context,
  productId: string,
  observations: readonly PlacedObservation[],
  isPacked: boolean,
): Promise<void> {
  const owner = { pack: PRODUCT_PACK, ownerId: productId };
  for (let rows = observations; rows.length > 0;) {
    const used = await transact(ctx, async (write) => {
      if (isPacked) {
        const { changes, used } = await insertRows(ctx, owner, rows);
        for (const change of changes) putBlock(write, ctx.workspaceId, owner, change);
        return used;
      }
      const part = rows.slice(0, 300);
      for (const { observation } of part) addObservation(write, ctx.workspaceId, observation);
      return part.length;
    });
    rows = rows.slice(used);
  }
}
