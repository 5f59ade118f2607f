/** A mixed load: people, programs, shops and rules work at the same time. */
import { itemSku } from "../bench/erp_items.ts";
import { itemsXml } from "../imports/import_calls.ts";
import {
  type Ask,
  type Asked,
  changedCents,
  EXTERNAL,
  IMPORTED,
  importedCents,
  importedSku,
} from "./calls.ts";
import type { Stage } from "./seed.ts";
import { setTimeout as pause } from "node:timers/promises";

export const PRODUCTS = 5_000;
const PUSHED_ROWS = 100;
const RETRY_MS = 200;

const below = (count: number) => Math.floor(Math.random() * count);
const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!;

export function startTraffic(stage: Stage) {
  const numbers = { created: 0, revision: 0 };
  const stopping = new AbortController();
  const repeat = async (pauseMs: number, once: () => Promise<unknown>) => {
    while (!stopping.signal.aborted) {
      await once();
      await pause(pauseMs, null, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = [
    ...Array.from({ length: 4 }, () => repeat(25, () => readProduct(stage))),
    ...Array.from({ length: 2 }, () => repeat(60, () => listProducts(stage))),
    repeat(150, () => changeProduct(stage)),
    repeat(250, () => createProduct(stage, `C-${numbers.created++}`)),
    repeat(500, () => pushObservations(stage)),
    repeat(300, () => scrapeProduct(stage)),
    repeat(1_000, () => evaluate(stage)),
    repeat(1_000, () => decide(stage)),
    repeat(2_000, () => lookAround(stage)),
    repeat(15_000, () => importFile(stage, ++numbers.revision)),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function readProduct({ program }: Stage): Promise<void> {
  await program({ kind: "get", path: `${EXTERNAL}/products/${itemSku(below(PRODUCTS))}` });
}

async function listProducts({ program }: Stage): Promise<void> {
  const filters = ["", "", "&brand=Nordwerk", "&category=Garten", "&q=Rasen", "&tier=STANDARD"];
  const path = `${EXTERNAL}/products?limit=50${oneOf(filters)}`;
  const first = await program({ kind: "list", path });
  const cursor = first.body?.nextCursor;
  if (cursor) await program({ kind: "list", path: `${path}&cursor=${cursor}` });
}

async function changeProduct({ person, ledger, changedIds }: Stage): Promise<void> {
  const id = oneOf(changedIds);
  const change = ledger.changed.get(id) ?? { sent: 0, acknowledged: 0 };
  ledger.changed.set(id, change);
  const number = ++change.sent;
  const ourPriceCents = changedCents(number);
  const body = { title: `Titel ${number}`, ourPriceCents };
  const path = `/api/products/${id}`;
  const { status } = await person({ kind: "patch", method: "PATCH", path, body });
  if (status !== 200) return;
  change.acknowledged = number;
  ledger.prices.add(`${id} ${ourPriceCents}`);
}

async function createProduct({ person, ledger }: Stage, sku: string): Promise<void> {
  const { id } = await untilDone(person, {
    kind: "create",
    path: "/api/products",
    body: { sku, title: "Wasserkocher", brand: "Nordwerk", ourPriceCents: 2_999 },
    headers: { "Idempotency-Key": sku },
  });
  ledger.created.set(sku, id);
}

async function untilDone(ask: Ask, asked: Asked) {
  for (;;) {
    const { body } = await ask(asked);
    if (body !== null) return body;
    await pause(RETRY_MS);
  }
}

async function pushObservations({ program, ledger, pushedSkus, shopUrls }: Stage): Promise<void> {
  const nowMs = Date.now();
  const observations = Array.from({ length: PUSHED_ROWS }, (_, n) => ({
    sku: pushedSkus[n % pushedSkus.length]!,
    url: `${shopUrls[n % 2]}/p/1`,
    price: ((8_000 + below(4_000)) / 100).toFixed(2),
    currency: "EUR",
    observedAt: new Date(nowMs - n).toISOString(),
  }));
  const push = { kind: "push", path: `${EXTERNAL}/observations`, body: { observations } };
  const { body } = await program(push);
  if (body?.data.accepted !== PUSHED_ROWS) return;
  for (const { sku, price, observedAt } of observations) {
    const seen = ledger.pushed.get(sku) ?? new Set();
    ledger.pushed.set(sku, seen.add(`${price.replace(".", "")} ${observedAt}`));
  }
}

async function scrapeProduct({ person, ledger, scrapedIds }: Stage): Promise<void> {
  const path = `/api/products/${oneOf(scrapedIds)}/scrape-now`;
  const { body } = await person({ kind: "scrape", method: "POST", path });
  if (body) ledger.runs.add(body.runId);
}

async function evaluate({ person, ruleId, scrapedIds }: Stage): Promise<void> {
  const path = `/api/rules/${ruleId}/simulate`;
  await person({ kind: "simulate", path, body: {} });
  await person({ kind: "explain", path: `/api/products/${oneOf(scrapedIds)}/decisions` });
}

/** A conflict is allowed, because the proposal may have been superseded. */
async function decide({ person, ledger }: Stage): Promise<void> {
  const { body } = await person({ kind: "proposals", path: "/api/proposals?status=open&limit=20" });
  if (!body || body.items.length === 0) return;
  const { id } = oneOf<{ readonly id: string }>(body.items);
  const path = `/api/proposals/${id}/approve`;
  const expects = [200, 409];
  const { status } = await person({ kind: "approve", method: "POST", path, expects });
  if (status === 200) ledger.approved.add(id);
}

async function lookAround({ person }: Stage): Promise<void> {
  for (const path of ["/api/overview", "/api/competitors", "/api/alerts?limit=20"]) {
    await person({ kind: "overview", path });
  }
}

async function importFile({ person, ledger }: Stage, revision: number): Promise<void> {
  const items = Array.from({ length: IMPORTED }, (_, n) => ({
    sku: importedSku(n),
    title: `Artikel ${n}`,
    price: (importedCents(n, revision) / 100).toFixed(2).replace(".", ","),
  }));
  const { jobId } = await untilDone(person, {
    kind: "import",
    // Each revision changes all prices, so Kurant would hold the import without `force`.
    path: "/api/imports?force=true",
    body: itemsXml(items),
    headers: { "Idempotency-Key": `revision ${revision}`, Prefer: "respond-async" },
  });
  ledger.imports.push({ jobId, revision });
}
