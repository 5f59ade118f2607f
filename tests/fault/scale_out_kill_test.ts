/** Two servers on one KV Connect store are killed in turn during work: each effect happens once. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { StoredAlert } from "../../src/messages/alerts/alert.ts";
import type { AuditRow } from "../../src/accounts/audit/audit.ts";
import { walkPriceRows } from "../../src/catalogue/prices/price_rows.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import type { Store } from "../../src/platform/store/kv.ts";
import type { StoredProposal } from "../../src/rules/proposals/proposal.ts";
import { hasRunsInFlight } from "../../src/scraping/runs/run_store.ts";
import { untilJudged } from "../rules/evaluation/market.ts";
import { bodyOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { requireEachProduct, requireExactStats } from "../imports/numbered_items.ts";
import { testNeeding } from "../needing.ts";
import { findingsOf, type LiveServer, startLiveServer } from "../program.ts";
import { MISSING_DENOKV, startDenokv } from "../stores.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { type Receiver, startReceiver } from "../messages/webhooks/receiver.ts";
import {
  APPLIED,
  HEARD,
  ITEMS,
  observationsOf,
  openShops,
  pagePrice,
  PAGES,
  prepare,
  type Prepared,
  PROPOSED,
  PUSHED,
  VISITED,
} from "./scale_out_scene.ts";
import { extent } from "../proof.ts";
import { createGate, until } from "../patience.ts";

/** Each server as often as the other one. */
const KILLS = extent(6, 2);
/** The next kill comes after this much progress of the import, or after this time at the latest. */
const FURTHER_MAX = ITEMS / 10;
const RHYTHM_MS = 10_000;
const PATIENCE_MS = 1_800_000;

testNeeding(MISSING_DENOKV, {
  name: `two servers on one store, each killed ${KILLS / 2} times in the middle of an import, ` +
    "a scrape and an evaluation, leave every effect once",
  async fn() {
    await using folder = await temporaryFolder();
    await using kv = await startDenokv();
    await using closing = new AsyncDisposableStack();
    const store = await openStore({ kvUrl: kv.url, dataDir: null }, 30_000);
    closing.defer(() => store.kv.close());
    const { passed: opened, open } = createGate();
    const shops = openShops(opened).map((shop) => closing.use(shop));
    closing.defer(open);
    let secret: string | null = null;
    await using receiver = startReceiver(() => secret);
    const settings = {
      KV_URL: kv.url,
      DENO_KV_ACCESS_TOKEN: kv.token,
      SCRAPE_ALLOW_PRIVATE: "127.0.0.1",
      SCRAPE_DOMAIN_DELAY_MS: "0",
      // Shops let wait until they open.
      SCRAPE_TIMEOUT_MS: "120000",
    };
    await using pair = new Pair(folder.path, settings);
    await pair.start();
    const { owner } = pair.survivor;
    const settled = () => untilJudged({ store });
    const prepared = await prepare(owner, shops, `${receiver.url}/hook`, settled);
    secret = prepared.secret;
    open();
    for (let kill = 0; kill < KILLS; kill++) await killInRound(pair, prepared, kill);
    await untilDone(store, pair.survivor.owner, prepared.jobId);
    await requireExactStats(pair.survivor.owner, prepared.jobId, ITEMS);
    await requireEachProduct(pair.survivor.owner, ITEMS);
    await requireEachRun(pair.survivor.owner);
    assertEquals(await pair.stop(), []);
    await requireEachRowOnce(store);
    requireEachEvent(receiver, prepared.jobId);
    assertEquals(await findingsOf(folder.path, settings), "");
  },
});

/** Two servers of which one can be killed; the other one goes on. */
class Pair implements AsyncDisposable {
  readonly #folder: string;
  readonly #settings: Record<string, string>;
  readonly #complaints: string[] = [];
  #servers: LiveServer[] = [];

  constructor(folder: string, settings: Record<string, string>) {
    this.#folder = folder;
    this.#settings = settings;
  }

  async start(): Promise<void> {
    this.#servers = [await this.#begin(), await this.#begin()];
  }

  /** The one that is killed next. */
  get victim(): LiveServer {
    return this.#servers[0]!;
  }

  get survivor(): LiveServer {
    return this.#servers[1]!;
  }

  /** The new server is the next survivor. */
  async killVictim(): Promise<void> {
    const { err } = await this.victim.crash();
    this.#listen(err);
    this.#servers = [this.survivor, await this.#begin()];
  }

  /** Ends both in good order; returns what any server has logged as an error. */
  async stop(): Promise<readonly string[]> {
    for (const server of this.#servers) {
      const { code, err } = await server.stop("SIGTERM");
      assertEquals(code, 0, err);
      this.#listen(err);
    }
    this.#servers = [];
    return this.#complaints;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) await server[Symbol.asyncDispose]();
  }

  #begin(): Promise<LiveServer> {
    return startLiveServer(this.#folder, this.#settings);
  }

  #listen(log: string): void {
    this.#complaints.push(...log.split("\n").filter((line) => line.includes('"level":"error"')));
  }
}

/** A push goes to the server that is killed meanwhile, and is sent again when it got no answer. */
async function killInRound(pair: Pair, prepared: Prepared, round: number): Promise<void> {
  const share = PUSHED / KILLS;
  const now = new Date().toISOString();
  const observations = observationsOf(round * share, (round + 1) * share, now);
  const push = async (url: string) => {
    const answer = prepared.pusher(url).post("/api/public/v1/observations", { observations });
    assertEquals((await bodyOf(answer, 200)).data.rejected, 0);
  };
  const { survivor, victim } = pair;
  await untilFurther(survivor.owner, prepared.jobId);
  const pushed = push(victim.url).then(() => true, (error) => {
    // A dead server gives no answer; a wrong one is a finding.
    if (error instanceof TypeError) return false;
    throw error;
  });
  await pair.killVictim();
  if (!await pushed) await push(survivor.url);
}

async function untilFurther(owner: Caller, jobId: string): Promise<void> {
  const begin = (await jobOf(owner, jobId)).progress.processed;
  const further = Math.random() * FURTHER_MAX;
  const nextAt = performance.now() + RHYTHM_MS;
  while (performance.now() < nextAt) {
    const { progress: { processed } } = await jobOf(owner, jobId);
    if (processed - begin >= further) return;
  }
}

function jobOf(owner: Caller, jobId: string) {
  return bodyOf(owner.get(`/api/imports/${jobId}`), 200);
}

/** The import and the visits have ended, and no event, evaluation or delivery is left. */
async function untilDone(store: Store, owner: Caller, jobId: string): Promise<void> {
  const isDone = async () => {
    const { status } = await jobOf(owner, jobId);
    const waits = await Promise.all(["nw", "tq", "wdu"].map((table) => hasRows(store, table)));
    const isOver = status !== "queued" && status !== "running";
    return isOver && !waits.includes(true) && !await hasRunsInFlight(store);
  };
  await until("nothing is left to do", isDone, PATIENCE_MS);
}

async function hasRows({ kv }: Store, table: string): Promise<boolean> {
  return (await Array.fromAsync(kv.list({ prefix: [table] }, { limit: 1 }))).length > 0;
}

/** Each visited product has one run, and each of its pages one result with its own price. */
async function requireEachRun(owner: Caller): Promise<void> {
  const { items, total } = await bodyOf(owner.get("/api/scrape-runs?limit=200"), 200);
  assertEquals([items.length, total ?? VISITED], [VISITED, VISITED]);
  for (const { id } of items) {
    const run = await bodyOf(owner.get(`/api/scrape-runs/${id}`), 200);
    assertEquals([run.status, run.hasErrors, run.counts.ok], ["succeeded", false, PAGES]);
    for (const { url, price } of run.results) {
      assertEquals(price, pagePrice(Number(new URL(url).pathname.slice(1))));
    }
  }
}

function rowsOf<T>({ kv }: Store, table: string): Promise<Deno.KvEntry<T>[]> {
  return Array.fromAsync(kv.list<T>({ prefix: [table] }, { batchSize: 500 }));
}

async function requireEachRowOnce(store: Store): Promise<void> {
  assertEquals((await rowsOf(store, "ob")).length, PUSHED + VISITED * PAGES, "observations");
  const proposals = (await rowsOf<StoredProposal>(store, "pr")).map(({ value }) => value);
  const counted = Map.groupBy(proposals, ({ status }) => status);
  assertEquals([counted.get("open")?.length, counted.get("applied")?.length, counted.size], [
    PROPOSED,
    APPLIED,
    2,
  ]);
  const owners = new Set(proposals.map(({ productId }) => productId));
  assertEquals(owners.size, PROPOSED + APPLIED, "a proposal of each product, none doubled");
  const alerts = (await rowsOf<StoredAlert>(store, "al")).map(({ value }) => value);
  const more = [...Map.groupBy(alerts, ({ productId }) => productId).values()]
    .filter(({ length }) => length > 1).map((of) => of.map(({ title, body }) => [title, body]));
  assertEquals([alerts.length, more], [PROPOSED + APPLIED, []], "alerts");
  const counters = await rowsOf<Deno.KvU64>(store, "rf");
  const fires = counters.reduce((sum, { value }) => sum + Number(value.value), 0);
  assertEquals(fires, PROPOSED + APPLIED, "fires of rules");
  await requireAuditedPrices(store);
}

/** The audit log contains each price that a rule has set once, and nothing else by a rule. */
async function requireAuditedPrices(store: Store): Promise<void> {
  const [workspace] = await rowsOf<{ id: string }>(store, "ws");
  const workspaceId = workspace?.value.id ?? "";
  const rows = await Array.fromAsync(walkPriceRows({ store, workspaceId }));
  const changes = rows.filter(({ change }) => change.source !== "import");
  const history = changes.map(({ productId, change: { fromCents, toCents, ref } }) =>
    `${productId} ${fromCents} ${toCents} ${ref}`
  );
  const audited = (await rowsOf<AuditRow>(store, "au")).map(({ value }) => value)
    .filter(({ after }) => after?.ourPriceCents !== undefined);
  const log = audited.map(({ resource, before, after, actor }) =>
    `${resource.id} ${before?.ourPriceCents} ${after?.ourPriceCents} ${actor.id}`
  );
  assertEquals(history.length, APPLIED, "each price is set once");
  assertEquals(log.sort(), history.sort());
}

/** Each is delivered at least once, and there is only one event per change. */
function requireEachEvent({ receipts, forged }: Receiver, jobId: string): void {
  assertEquals(forged, []);
  const events = new Map(receipts.map(({ id, body }) => [id, body]));
  // The event of the small import may have been relayed before or after the receiver was created.
  const expected = [...events.values()].filter(({ type, data }) =>
    type !== "import.finished" || Object(data).jobId === jobId
  );
  const counts = Map.groupBy(expected, ({ type }) => type);
  assertEquals(HEARD.map((type) => [type, counts.get(type)?.length]), [
    ["price.changed", APPLIED],
    ["proposal.created", PROPOSED],
    ["scrape_run.finished", VISITED],
    ["import.finished", 1],
  ]);
}
