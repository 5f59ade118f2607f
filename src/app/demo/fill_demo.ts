/** Fills a workspace as if a retailer had worked with it for 90 days. */
import { addUser } from "../../accounts/set_up.ts";
import { changeSettings } from "../../accounts/change_settings.ts";
import { actorOf } from "../../accounts/users/user.ts";
import { batchesOf } from "../../base/collections.ts";
import { markAwaited } from "../../catalogue/products/change_log_store.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { createWebhook } from "../../messages/webhook.ts";
import { type Actor, type Context, contextFor } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { changeDiscovery } from "../../scraping/discovery/discovery_job.ts";
import { readCompetitorSet } from "../../shops/competitor_store.ts";
import { DISCOVERY_OFF } from "../../shops/pages/discovery_store.ts";
import { DEMO_SHOPS } from "./demo_catalogue.ts";
import { playPast } from "./demo_past.ts";
import { type DemoPast, type DemoSetup, PAST_DAYS } from "./start_neighbours.ts";

/** The password is public, because only this machine reaches the server of the demo. */
export const DEMO_LOGIN = {
  email: "demo@kurant.example",
  password: "vier blaue Kaffeetassen",
} as const;

export async function fillDemo(setup: DemoSetup): Promise<void> {
  const { clock, config, neighbours, products, print } = setup;
  const past = await beginPast(setup);
  print(`Importing ${products.length} products and playing ${PAST_DAYS} days of prices …`);
  await playPast(past);
  clock.run();
  const limits = { allowed: config.SCRAPE_ALLOW_PRIVATE, ports: config.SCRAPE_ALLOW_PORTS };
  const { receiverUrl, deafReceiverUrl } = neighbours;
  for (
    const [url, ...events] of [
      [receiverUrl, "proposal.decided", "price.changed", "scrape_run.finished"],
      [deafReceiverUrl, "scrape_run.finished"],
    ] as const
  ) await createWebhook(past.asOwner(), { url, events, enabled: true }, limits);
  await beginRound(past);
  await findPages(past.asOwner());
}

const PRODUCTS_PER_COMMIT = 200;

/** Makes all linked products due, so that the running demo begins by visiting all shop pages. */
async function beginRound({ asOwner, offers }: DemoPast): Promise<void> {
  const ctx = asOwner();
  const skus = new Set(offers.map(({ product }) => product.sku));
  const rows = await findIndexRows(ctx, [...skus]);
  for await (const some of batchesOf(rows.values(), PRODUCTS_PER_COMMIT)) {
    await transact(ctx, (write) => {
      for (const { id } of some) markAwaited(write, ctx.workspaceId, id);
    });
  }
}

async function findPages(ctx: Context): Promise<void> {
  const up = DEMO_SHOPS.filter(({ kind }) => kind !== "down");
  const settings = { ...DISCOVERY_OFF, mode: "suggest" } as const;
  for (const shop of (await readCompetitorSet(ctx)).byId.values()) {
    if (up.some(({ name }) => name === shop.displayName)) {
      await changeDiscovery(ctx, shop.id, settings);
    }
  }
}

async function beginPast({ neighbours, ...setup }: DemoSetup): Promise<DemoPast> {
  const { store, app: { clock } } = setup;
  const now = new Date();
  const workspace = "Haushaltswelt Muster GmbH";
  const person = { ...DEMO_LOGIN, name: "Jana Petersen", role: "owner", workspace } as const;
  const user = await addUser({ store, clock }, person);
  const as = (actor: Actor) => () =>
    contextFor({ store, clock, requestId: `demo_${clock.newId()}` }, user.workspaceId, actor);
  const asOwner = as(actorOf(user));
  await changeSettings(asOwner(), { pricesIncludeVat: true, vatRatePct: 19 });
  return {
    ...setup,
    offers: neighbours.offers.filter(({ product }) => !product.isUnlinked),
    now,
    asOwner,
    asErp: as({ type: "system", id: "erp", name: "Warenwirtschaft" }),
  };
}
