/** Fills a workspace as if a retailer had worked with it for 90 days. */
import { addUser } from "../../accounts/set_up.ts";
import { changeSettings } from "../../accounts/change_settings.ts";
import { actorOf } from "../../accounts/users/user.ts";
import { batchesOf } from "../../base/collections.ts";
import { markAwaited } from "../../catalogue/products/change_log_store.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { createWebhook } from "../../messages/webhook.ts";
import type { Actor } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { changeDiscovery } from "../../scraping/discovery/discovery_job.ts";
import { readCompetitorSet } from "../../shops/competitor_store.ts";
import { DISCOVERY_OFF } from "../../shops/pages/discovery_store.ts";
import type { App } from "../composition/app.ts";
import type { Config } from "../composition/config.ts";
import { DEMO_SHOPS, type DemoProduct } from "./demo_catalogue.ts";
import { playPast } from "./demo_past.ts";
import {
  contextOf,
  type DemoClock,
  type DemoStage,
  type Neighbours,
  PAST_DAYS,
  type PlacedOffer,
} from "./start_neighbours.ts";

/** The password is public, because only this machine reaches the server of the demo. */
export const DEMO_LOGIN = {
  email: "demo@kurant.example",
  password: "vier blaue Kaffeetassen",
} as const;

interface DemoSetup {
  readonly app: App;
  readonly store: Store;
  readonly config: Config;
  readonly clock: DemoClock;
  readonly neighbours: Neighbours;
  readonly products: readonly DemoProduct[];
  print(line: string): void;
}

export async function fillDemo(setup: DemoSetup): Promise<void> {
  const { app, clock, config, neighbours, products, print } = setup;
  const now = new Date();
  const stage = await openStage(setup);
  print(`Importing ${products.length} products and playing ${PAST_DAYS} days of prices …`);
  const allowed = config.SCRAPE_ALLOW_PRIVATE;
  const passed = everyTenDays((days) => print(`  ${days} of ${PAST_DAYS} days`));
  const offers = neighbours.offers.filter(({ product }) => !product.isUnlinked);
  await playPast({ stage, products, offers, now, allowed, passed });
  clock.run();
  const limits = { allowed, ports: config.SCRAPE_ALLOW_PORTS };
  const ctx = contextOf(stage, stage.owner);
  const { receiverUrl, deafReceiverUrl } = neighbours;
  for (
    const [url, ...events] of [
      [receiverUrl, "proposal.decided", "price.changed", "scrape_run.finished"],
      [deafReceiverUrl, "scrape_run.finished"],
    ] as const
  ) await createWebhook(ctx, { url, events, enabled: true }, limits);
  await beginRound(stage, offers);
  await findPages(stage, app);
}

const PRODUCTS_PER_COMMIT = 200;

/** Makes all linked products due, so that the schedule begins with a whole round of visits. */
async function beginRound(stage: DemoStage, offers: readonly PlacedOffer[]): Promise<void> {
  const ctx = contextOf(stage, stage.owner);
  const skus = new Set(offers.map(({ product }) => product.sku));
  const rows = await findIndexRows(ctx, [...skus]);
  for await (const some of batchesOf(rows.values(), PRODUCTS_PER_COMMIT)) {
    await transact(ctx, (write) => {
      for (const { id } of some) markAwaited(write, ctx.workspaceId, id);
    });
  }
}

async function findPages(stage: DemoStage, { clock: { newId } }: App): Promise<void> {
  const ctx = { ...contextOf(stage, stage.owner), newId };
  const up = new Set(DEMO_SHOPS.filter(({ kind }) => kind !== "down").map(({ name }) => name));
  const settings = { ...DISCOVERY_OFF, mode: "suggest" } as const;
  for (const shop of (await readCompetitorSet(ctx)).byId.values()) {
    if (!up.has(shop.displayName)) continue;
    await changeDiscovery(ctx, shop.id, settings);
  }
}

function everyTenDays(printDays: (days: number) => void): (days: number) => void {
  let reported = 0;
  return (days) => {
    if (days < reported + 10) return;
    reported = days - days % 10;
    printDays(reported);
  };
}

async function openStage({ app, store, clock }: DemoSetup): Promise<DemoStage> {
  const tools = { store, clock: app.clock };
  const workspace = "Haushaltswelt Muster GmbH";
  const name = "Jana Petersen";
  const user = await addUser(tools, { ...DEMO_LOGIN, name, role: "owner", workspace });
  const { workspaceId } = user;
  const owner = actorOf(user);
  const erp: Actor = { type: "system", id: "erp", name: "Warenwirtschaft" };
  const stage = { app, store, clock, workspaceId, owner, erp };
  await changeSettings(contextOf(stage, owner), { pricesIncludeVat: true, vatRatePct: 19 });
  return stage;
}
