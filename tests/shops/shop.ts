/** Helpers for tests of competitors: create products and matches, and read the results. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { findDisagreements } from "../../src/app/commands/check_store.ts";
import { checkTables } from "../../src/app/composition/tables.ts";
import { checkCompetitors, checkObservations } from "../../src/shops/check_shops.ts";
import type { AuditRow } from "../../src/accounts/audit/audit.ts";
import type { CompetitorDocument } from "../../src/shops/competitor_store.ts";
import type { CompetitorProduct } from "../../src/shops/matches/match.ts";
import type { Caller } from "../caller.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { type TestsWith, testWith } from "../opened.ts";
import { blankOffer } from "../../src/shops/offers/offer.ts";

export async function addProduct(caller: Caller, sku: string, more: Record<string, unknown> = {}) {
  const body = { sku, title: `Product ${sku}`, ourPrice: 10, ...more };
  return (await caller.create<{ id: string }>("/api/products", body)).id;
}

export function addMatch(
  caller: Caller,
  productId: string,
  url: string,
  more: Record<string, unknown> = {},
): Promise<CompetitorProduct> {
  return caller.create("/api/competitor-products", { productId, url, ...more });
}

export async function linksOf(caller: Caller, query = ""): Promise<CompetitorProduct[]> {
  const path = `/api/competitor-products?limit=200&${query}`;
  return (await caller.read<{ items: CompetitorProduct[] }>(path)).items;
}

export async function listShops(caller: Caller): Promise<CompetitorDocument[]> {
  const page = await caller.read<{ items: CompetitorDocument[] }>("/api/competitors");
  return page.items;
}

export async function shopId(app: Pick<TestApp, "viewer">, name: string): Promise<string> {
  const found = (await listShops(app.viewer)).find(({ domain }) => domain === `${name}.example`);
  if (!found) throw new Error(`There is no shop ${name}`);
  return found.id;
}

/** Returns what `check-store` reports about the workspace: rows that contradict each other. */
export async function disagreements({ store, workspaceId }: TestApp): Promise<string[]> {
  return [
    ...await Array.fromAsync(checkCompetitors(store, workspaceId)),
    ...await Array.fromAsync(checkObservations(store, workspaceId)),
    ...await Array.fromAsync(checkTables({ store, workspaceId })),
  ];
}

/** Declares tests that fail if rows of the store contradict each other at the end. */
export function checkedAfter<Opened>(
  tests: TestsWith<Opened>,
  appOf: (opened: Opened) => TestApp,
): TestsWith<Opened> {
  return {
    test: (name, run) =>
      tests.test(name, async (opened) => {
        await run(opened);
        const { app, store } = appOf(opened);
        await app.close();
        assertEquals(await Array.fromAsync(findDisagreements(store)), []);
      }),
  };
}

export const withCheckedApp = checkedAfter(withApp, (app) => app);

/** Each test has an app with the product `A-1`, and a key that may push prices. */
export const withProduct = checkedAfter(
  testWith(async () => {
    const app = await startTestApp();
    return {
      app,
      productId: await addProduct(app.manager, "A-1"),
      key: await app.key(["observations:write"]),
      [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
    };
  }),
  ({ app }) => app,
);

/** The audit rows of a resource, oldest first, as `[action, before, after]`. */
export async function auditOf(caller: Caller, resource: string) {
  const path = `/api/audit-logs?resource=${encodeURIComponent(resource)}`;
  const { items } = await caller.read<{ items: AuditRow[] }>(path);
  return items.map(({ action, before, after }) => [action, before, after]);
}

export async function actionsOf(caller: Caller, resource: string): Promise<unknown[]> {
  return (await auditOf(caller, resource)).map(([action]) => action);
}

export const BLANK_OFFER = blankOffer({
  matchId: "a".repeat(24),
  competitorId: "b".repeat(24),
  urlHash: "c".repeat(32),
  enabled: true,
  disabledBy: null,
  packFactor: 1,
  matchType: "exact",
  noPrice: false,
});
