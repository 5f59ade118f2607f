/**
 * Writes the same products to Kurant and to PocketBase, and lists them. The two services take turns
 * at being measured first. Prints the table of docs/performance.md with medians of the rounds.
 * `deno task bench:peers [products] [rounds]`, after `deno task bench:peers:install`
 */
import { argv, env } from "node:process";
import { processorMs } from "../processor_time.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { type Article, articleOf, itemXml } from "./erp_items.ts";
import { usedBytes } from "./store_figures.ts";
import { alternately, median, say, timed, untilSucceeded } from "./slices.ts";
import { storeFile } from "../../src/platform/store/open_store.ts";
import { bodyOf } from "../api/answers.ts";
import { callerWithKey, createCaller } from "../caller.ts";
import { until } from "../patience.ts";
import { serverPid, startLiveServer } from "../program.ts";
import { freePort } from "../stores.ts";

/** Kurant, or PocketBase (a Go program with SQLite). */
interface Peer extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  readonly storePath: string;
  /** Creates or changes articles by SKU, and resolves when all are stored and readable. */
  upsert(articles: readonly Article[]): Promise<void>;
  /** Lists up to 100 products; `after` is `next` of the previous page, at first null. */
  page(after: string | null): Promise<Page>;
  priceOf(sku: string): Promise<number>;
}

interface Page {
  readonly skus: readonly string[];
  /** Null on the last page. */
  readonly next: string | null;
}

const PAGE_ROWS = 100;
const POLL_MS = 50;
/** One price per item, so that both services store equally much data. */
const ONE_PRICE = { hasFormer: false, hasTiers: false };

const skusOf = (records: readonly { readonly sku: string }[]) => records.map(({ sku }) => sku);

async function startKurant(folder: string): Promise<Peer> {
  const live = await startLiveServer(folder, { RATE_LIMIT_PER_MINUTE: "1000000" });
  const asked = { name: "bench", scopes: ["products:write"] };
  const { key } = await live.owner.create("/api/keys", asked);
  const program = callerWithKey(live.url, key);
  const list = "/api/public/v1/products";
  return {
    name: "Kurant",
    pid: await serverPid(folder),
    storePath: storeFile(folder).kvPath,
    async upsert(articles) {
      const items = articles.map((article) => itemXml(article, ONE_PRICE));
      const headers = { "Content-Type": "application/xml", Prefer: "respond-async" };
      const sent = program.post(`${list}/import`, `<ITEMS>\n${items.join("")}</ITEMS>\n`, headers);
      const { data: { jobId } } = await bodyOf(sent, 202);
      const { stats } = await untilSucceeded(live.owner, `/api/imports/${jobId}`, POLL_MS);
      if (stats.inserted + stats.updated !== articles.length) {
        throw new Error(`Stored ${JSON.stringify(stats)}`);
      }
    },
    async page(after) {
      const cursor = after === null ? "" : `&cursor=${encodeURIComponent(after)}`;
      const { data, nextCursor } = await program.read(`${list}?limit=${PAGE_ROWS}${cursor}`);
      return { skus: skusOf(data), next: nextCursor };
    },
    priceOf: async (sku) => (await program.read(`${list}/${sku}`)).data.ourPriceCents,
    [Symbol.asyncDispose]: () => live[Symbol.asyncDispose](),
  };
}

/** Built by `deno task bench:peers:install`. */
const POCKETBASE = `${env.HOME}/.cache/kurant/peers/base`;
/** Larger batches were not faster. */
const BATCH_RECORDS = 1_000;
const OWNER = { email: "owner@example.com", password: "sechs-blaue-kuehlschraenke" };
const RECORDS = "/api/collections/products/records";

async function startPocketBase(folder: string): Promise<Peer> {
  const program = (...args: string[]) =>
    new Deno.Command(POCKETBASE, {
      args: [...args, "--dir", `${folder}/data`, "--dev=false"],
      cwd: folder,
      stdin: "null",
      stdout: "null",
      stderr: "inherit",
    }).spawn();
  const made = await program("superuser", "upsert", OWNER.email, OWNER.password).status;
  if (!made.success) throw new Error("PocketBase could not be prepared");
  const address = `127.0.0.1:${freePort()}`;
  const base = `http://${address}`;
  const server = program("serve", "--http", address);
  const anyone = createCaller(base);
  const isReady = () => anyone.read("/api/health").then(({ code }) => code === 200, () => false);
  await until("PocketBase answers", isReady);
  const owner = await prepare(base);
  return {
    name: "PocketBase",
    pid: server.pid,
    storePath: `${folder}/data/data.db`,
    async upsert(articles) {
      for (let at = 0; at < articles.length; at += BATCH_RECORDS) {
        const requests = articles.slice(at, at + BATCH_RECORDS).map((article) => ({
          method: "PUT",
          url: RECORDS,
          body: { id: idOf(article.sku), ...article },
        }));
        await owner.act("/api/batch", { requests });
      }
    },
    async page(after) {
      const query = new URLSearchParams({
        perPage: String(PAGE_ROWS),
        skipTotal: "true",
        sort: "id",
        ...(after !== null && { filter: `id > "${after}"` }),
      });
      const { items } = await owner.read(`${RECORDS}?${query}`);
      return { skus: skusOf(items), next: items.length < PAGE_ROWS ? null : items.at(-1).id };
    },
    priceOf: async (sku) => (await owner.read(`${RECORDS}/${idOf(sku)}`)).priceCents,
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await server.status;
    },
  };
}

async function prepare(base: string) {
  const credentials = { identity: OWNER.email, password: OWNER.password };
  const path = "/api/collections/_superusers/auth-with-password";
  const { token } = await createCaller(base).act(path, credentials);
  const owner = createCaller(base, { Authorization: token });
  const batch = { enabled: true, maxRequests: BATCH_RECORDS, timeout: 300, maxBodySize: 0 };
  await owner.change("/api/settings", { batch });
  const id = { name: "id", type: "text", system: true, primaryKey: true, required: true };
  const texts = ["sku", "title", "brand", "category", "mpn", "tier", "currency"];
  const numbers = ["priceCents", "costCents", "targetCents"];
  const fields = [
    { ...id, min: 1, max: 128, pattern: "^[a-z0-9]+$" },
    ...texts.map((name) => ({ name, type: "text" })),
    ...numbers.map((name) => ({ name, type: "number", onlyInt: true })),
    { name: "created", type: "autodate", onCreate: true },
    { name: "updated", type: "autodate", onCreate: true, onUpdate: true },
  ];
  await owner.act("/api/collections", { name: "products", type: "base", fields });
  return owner;
}

/**
 * An id in PocketBase's default pattern. With another pattern, PocketBase would read the whole
 * table for each record.
 */
function idOf(sku: string): string {
  return sku.toLowerCase().replaceAll("-", "");
}

const PRODUCTS = Number(argv[2] ?? 100_000);
const ROUNDS = Number(argv[3] ?? 5);
const SAMPLES = 25;

const STARTS = { kurant: startKurant, pocketBase: startPocketBase } as const;

interface Cost {
  readonly elapsedMs: number;
  /** Processor time of the service, without the client, in ms per 1,000 products. */
  readonly processorMs: number;
}

const STEPS = ["new", "changed", "listed"] as const;
type Step = (typeof STEPS)[number];

interface Figures {
  readonly name: string;
  readonly costs: Readonly<Record<Step, Cost>>;
  readonly bytes: number;
}

const [first, second] = [articles(1), articles(2)];
const found = await alternately(["kurant", "pocketBase"], { rounds: ROUNDS }, measure);
say(`\n| ${PRODUCTS.toLocaleString("en")} products | New | Changed | Listed | Bytes |`);
say("| --- | ---: | ---: | ---: | ---: |");
tellRow(found.kurant, (step) => wordsOf(medianCost(found.kurant, step)));
tellRow(found.pocketBase, (step) => {
  const [own, peer] = [medianCost(found.kurant, step), medianCost(found.pocketBase, step)];
  const ratio = (name: keyof Cost) => `${(peer[name] / own[name]).toFixed(1)} ×`;
  return `${wordsOf(peer)} (${ratio("elapsedMs")}, ${ratio("processorMs")})`;
});

function articles(revision: number): Article[] {
  return Array.from({ length: PRODUCTS }, (_, n) => articleOf(n, revision));
}

async function measure(service: keyof typeof STARTS): Promise<Figures> {
  await using folder = await temporaryFolder();
  const { storePath, ...figures } = await measureSteps(await STARTS[service](folder.path));
  // The stopped service has merged its write-ahead log into the database file.
  const bytes = usedBytes({ storePath }) / PRODUCTS;
  const words = STEPS.map((step) => `${wordsOf(figures.costs[step])} ${step}`).join(", ");
  say(`${figures.name}: ${words}, load ${Deno.loadavg()[0]?.toFixed(1)}`);
  return { ...figures, bytes };
}

async function measureSteps(started: Peer) {
  await using peer = started;
  const { name, storePath } = peer;
  const made = await costOf(peer, () => peer.upsert(first));
  await requirePrices(peer, first);
  const changed = await costOf(peer, () => peer.upsert(second));
  await requirePrices(peer, second);
  const listed = await costOf(peer, () => listAll(peer));
  return { name, storePath, costs: { new: made, changed, listed } };
}

async function costOf({ pid }: Peer, work: () => Promise<void>): Promise<Cost> {
  const { ms, cpuMs } = await timed(work, () => processorMs(pid));
  const thousands = PRODUCTS / 1_000;
  return { elapsedMs: ms / thousands, processorMs: cpuMs / thousands };
}

async function requirePrices(peer: Peer, expected: readonly Article[]): Promise<void> {
  for (let n = 0; n < PRODUCTS; n += Math.max(1, Math.floor(PRODUCTS / SAMPLES))) {
    const { sku = "", priceCents } = expected[n] ?? {};
    const price = await peer.priceOf(sku);
    if (price !== priceCents) throw new Error(`${peer.name} has ${price} for ${sku}`);
  }
}

async function listAll(peer: Peer): Promise<void> {
  const listed = new Set<string>();
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<Peer["page"]>> = await peer.page(after);
    for (const sku of page.skus) listed.add(sku);
    after = page.next;
  } while (after !== null);
  if (listed.size !== PRODUCTS) throw new Error(`${peer.name} lists ${listed.size}`);
}

function wordsOf({ elapsedMs, processorMs }: Cost): string {
  const rate = Math.round(1_000_000 / elapsedMs).toLocaleString("en");
  return `${rate}/s, ${Math.round(processorMs)} ms`;
}

function medianCost(rounds: readonly Figures[], step: Step): Cost {
  const of = (name: keyof Cost) => median(rounds.map(({ costs }) => costs[step][name]));
  return { elapsedMs: of("elapsedMs"), processorMs: of("processorMs") };
}

function tellRow(rounds: readonly Figures[], cellOf: (step: Step) => string): void {
  const [one] = rounds;
  if (!one) throw new Error("At least one round is needed");
  const bytes = Math.round(median(rounds.map((figures) => figures.bytes)));
  say(`| ${[one.name, ...STEPS.map(cellOf), bytes].join(" | ")} |`);
}
