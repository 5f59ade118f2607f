/** Simulates an ERP that fetches our price changes and sends files. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { judgeArrivals, queueOldArrivals } from "../../../src/market/export/judge_arrival.ts";
import type { Caller } from "../../caller.ts";
import { startTestApp, type TestApp } from "../../harness.ts";
import { testWith } from "../../opened.ts";
import { IMPORT, importXml } from "../../imports/import_calls.ts";
import { column, valuesOf } from "../../api/answers.ts";

const CHANGES = "/api/public/v1/price-changes";
export const HOUR_MS = 3_600_000;

export class Erp implements AsyncDisposable {
  since = "";
  readonly #ids = new Map<string, string>();

  constructor(readonly app: TestApp, readonly key: Caller) {}

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.app[Symbol.asyncDispose]();
  }

  async send(prices: Readonly<Record<string, string>>, query = "") {
    this.app.clock.advance(HOUR_MS);
    const items = Object.entries(prices).map(([sku, price]) =>
      `<ITEM><SKU>${sku}</SKU><TITLE>T</TITLE><TIER>A</TIER>` +
      `<SALESPRICE><TIER>A</TIER><PRICE>${price}</PRICE></SALESPRICE></ITEM>`
    );
    const { data } = await importXml(this.key, `<ITEMS>${items.join("")}</ITEMS>`, query);
    assertEquals(data.status, "succeeded");
    await this.judge();
    return (await this.key.read(`${IMPORT}/${data.jobId}`)).data;
  }

  /** Sends a file; returns [expected, arrived, missing], or null if no price was expected. */
  async arrival(...sent: Parameters<Erp["send"]>): Promise<number[] | null> {
    const { arrival } = await this.send(...sent);
    return arrival && [arrival.expected, arrival.arrived, arrival.missing];
  }

  async fetch(format = "json", since = this.since): Promise<string> {
    this.app.clock.advance(HOUR_MS);
    const query = `since=${encodeURIComponent(since)}&format=${format}`;
    for (let cursor = "";;) {
      const answer = await this.key.get(`${CHANGES}?${query}${cursor}`);
      const text = await answer.text();
      const { nextCursor, nextSince } = format === "json"
        ? JSON.parse(text)
        : { nextCursor: null, nextSince: answer.headers.get("X-Next-Since") };
      if (nextCursor === null) {
        this.since = nextSince;
        return text;
      }
      cursor = `&cursor=${nextCursor}`;
    }
  }

  async set(sku: string, ourPrice: number): Promise<void> {
    this.app.clock.advance(HOUR_MS);
    await this.app.owner.change(`/api/products/${await this.idOf(sku)}`, { ourPrice });
  }

  async idOf(sku: string): Promise<string> {
    const id = this.#ids.get(sku) ??
      (await this.app.owner.read(`/api/products?sku=${sku}`)).items[0].id;
    this.#ids.set(sku, id);
    return id;
  }

  async judge(): Promise<void> {
    const { store, app: { clock } } = this.app;
    const setup = { store, clock, deps: { isMailOn: false } };
    await queueOldArrivals(setup);
    await judgeArrivals(setup);
  }

  /** Prices that have not arrived, as `[sku, status, expected, seen]`. */
  async list() {
    const { items } = await this.app.viewer.read("/api/price-arrivals");
    return valuesOf(items, "sku", "status", "expectedCents", "seenCents");
  }

  async awaited(): Promise<string> {
    return (await this.list()).map(([sku]) => sku).join();
  }

  async alerts(): Promise<string[]> {
    const { items } = await this.app.viewer.read("/api/alerts?limit=200");
    const isOurs = ({ facts }: { facts: { code: string } | null }) =>
      facts?.code === "prices_not_arrived";
    return column(items.filter(isOurs), "title");
  }
}

/** The ERP has already sent prices of P, Q and R, and fetched the changes. */
export async function startErp(app: TestApp): Promise<Erp> {
  const erp = new Erp(app, await app.key(["products:write", "proposals:read"]));
  await erp.send({ P: "10,00", Q: "20,00", R: "30,00" });
  await erp.fetch();
  return erp;
}

export const withErp = testWith(async () => startErp(await startTestApp()));
