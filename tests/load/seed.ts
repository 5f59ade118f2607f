/** Data at the start of a load: a catalogue, products to change, push and scrape, and a rule. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { generateItems } from "../bench/erp_items.ts";
import { UNDERCUT } from "../rules/evaluation/market.ts";
import { kurant } from "../program.ts";
import { type Ask, type Calls, create } from "./calls.ts";
import { Ledger } from "./ledger.ts";
import type { LoadNeighbours } from "./neighbours.ts";
import { PRODUCTS, type Stage } from "./traffic.ts";

const CHANGED = 20;
const PUSHED = 50;
const NEIGHBOUR_PRODUCTS = 500;
const NEIGHBOUR = "Nachbar";

/** Creates the catalogue, a second workspace and a key before a server runs. Returns the key. */
export async function seedStore(settings: Record<string, string>, folder: string): Promise<string> {
  const file = `${folder}/items.xml`;
  await Deno.writeFile(file, ReadableStream.from(generateItems(PRODUCTS, 1)));
  const scopes = "products:write,observations:write,proposals:write,rules:read,audit:read";
  const key = await kurant(["key", "add", "--name", "load", "--scopes", scopes], settings);
  assertEquals([key.code, key.err], [0, ""]);
  const imported = await kurant(["import", file], settings);
  assertEquals(imported.code, 0, imported.err);
  // The second workspace gets no links, so that none of its pages is visited.
  await Deno.writeFile(file, ReadableStream.from(generateItems(NEIGHBOUR_PRODUCTS, 2)));
  const other = await kurant(["import", file, "--workspace", NEIGHBOUR], settings);
  assertEquals(other.code, 0, other.err);
  return key.out.trim();
}

/** The lines of the second workspace's file. The load must not change them. */
export async function linesOfNeighbour(settings: Record<string, string>): Promise<string> {
  const args = ["workspace", "export", "-", "--workspace", NEIGHBOUR];
  const { code, out, err } = await kurant(args, settings);
  assertEquals(code, 0, err);
  // Leaves out the lines `trend`, which the service adds daily, and the line `end`, which has the
  // number of lines.
  const lines = out.replace(/"exportedAt":"[^"]+"/, "").split("\n");
  return lines.filter((line) => !/^\{"type":"(?:trend|end)"/.test(line)).join("\n");
}

export async function setStage(
  calls: Calls,
  { cookie, key, neighbours }: {
    readonly cookie: string;
    readonly key: string;
    readonly neighbours: LoadNeighbours;
  },
): Promise<Stage> {
  const person = calls.as({ Cookie: cookie });
  const program = calls.as({ Authorization: `Bearer ${key}` });
  const changedIds: string[] = [];
  for (let n = 0; n < CHANGED; n++) {
    const body = { sku: `P-${n}`, title: "Titel 0", ourPriceCents: 1_001, costPriceCents: 500 };
    changedIds.push(await create(person, "/api/products", body));
  }
  const pushedSkus = Array.from({ length: PUSHED }, (_, n) => `O-${n}`);
  for (const sku of pushedSkus) await makePriced(person, sku);
  const scrapedIds: string[] = [];
  for (const [n, url] of neighbours.urls.entries()) {
    const productId = await makePriced(person, `S-${n}`);
    await create(person, "/api/competitor-products", { productId, url });
    scrapedIds.push(productId);
  }
  const ruleId = await create(person, "/api/rules", UNDERCUT);
  const { receiverUrl: url, shopUrls } = neighbours;
  const events = ["price.changed", "import.finished", "scrape_run.finished", "proposal.created"];
  const webhookId = await create(person, "/api/webhooks", { url, events });
  const made = { changedIds, pushedSkus, scrapedIds, ruleId, webhookId };
  return { person, program, ledger: new Ledger(), shopUrls, ...made };
}

async function makePriced(person: Ask, sku: string): Promise<string> {
  const body = { sku, title: `Artikel ${sku}`, ourPrice: 100, costPrice: 50 };
  return await create(person, "/api/products", body);
}
