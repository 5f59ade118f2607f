/**
 * The longest delay of `/healthz` while a real server does its heaviest work: imports, pushed
 * prices, a simulation, files of lists, commands on the same store, and remote servers that send
 * interim responses without end. A person uses the table at the same time. Another process requests
 * `/healthz` every 20 ms. The budget is for the delay by the serving thread itself, without the
 * time when other processes had the processor. The server's stall gauge is printed too; it covers
 * the last one to two minutes, and so also earlier phases. `deno task bench health`, or `deno run
 * -A tests/bench/health_bench.ts [products] [rounds]`
 */
import { argv } from "node:process";
import { statusOf } from "../api/answers.ts";
import { type Caller, callerWithKey, createCaller } from "../caller.ts";
import { addRule, UNDERCUT } from "../rules/evaluation/market.ts";
import { FIVE_WAYS, goToEndless } from "../fault/endless_interims.ts";
import { type Beat, startProbe } from "../load/process_figures.ts";
import { quantile } from "../load/quantile.ts";
import { pause, until } from "../patience.ts";
import { kurant, type LiveServer, serverPid, startLiveServer } from "../program.ts";
import { temporaryFolder } from "../temporary_folder.ts";
import { untilAtRest } from "./at_rest.ts";
import { generateItems, itemCents, itemSku } from "./erp_items.ts";
import { sendImport, weighFile } from "./send_import.ts";
import { say, untilSucceeded } from "./slices.ts";

const PRODUCTS = Number(argv[2] ?? 100_000);
const ROUNDS = Number(argv[3] ?? 2);
const BUDGET_MS = 500;
const BEAT_MS = 20;
const SERVERS = 20;
const ROWS_PER_PUSH = 1_000;
const PERSON_PATHS = [
  "/api/products?limit=200&sort=gapPct&order=desc",
  "/api/products?limit=200&q=wasserkocher",
  "/api/products?limit=200&sort=title",
  "/api/market/summary?by=category,competitor",
  "/api/overview",
];
const PERSON_MS = 500;
const SIMULATION_POLL_MS = 250;
const METRICS_TOKEN = "health-bench-metrics-token";
const SETTINGS = {
  LOG_LEVEL: "warning",
  METRICS_TOKEN,
  RATE_LIMIT_PER_MINUTE: "1000000",
  SCRAPE_ALLOW_PRIVATE: "127.0.0.0/8",
  SCRAPE_DOMAIN_DELAY_MS: "0",
};

/** The longest delay of each round, by phase. */
const worst = new Map<string, Late[]>();

for (let round = 1; round <= ROUNDS; round++) {
  say(`round ${round} of ${ROUNDS}`);
  await runRound();
}
say("the worst of each round, in ms by the clock, and of that the thread's own part");
for (const [name, lates] of worst) {
  const times = lates.map(({ tookMs, ownMs }) => `${tookMs.toFixed(0)} (${ownMs.toFixed(0)})`);
  const isReached = lates.every(({ ownMs }) => ownMs <= BUDGET_MS);
  say(`${name.padEnd(24)} ${times.join(", ")}: ${isReached ? "reached" : "MISSED"}`);
}

async function runRound(): Promise<void> {
  await using folder = await temporaryFolder();
  const dataDir = folder.path;
  await using live = await startLiveServer(dataDir, SETTINGS);
  const within = { live, dataDir };
  await importItems(within, "import, new", 1);
  await addRule(live.owner);
  await using _person = startPerson(live.owner);
  await phase(within, "prices are pushed", () => pushPrices(live));
  await phase(within, "all is judged", () => untilAtRest(dataDir));
  await importItems(within, "import, changed", 2);
  await phase(within, "all is judged again", () => untilAtRest(dataDir));
  await phase(within, "simulation of a rule", () => simulate(live.owner));
  await takeFiles(within);
  await runCommands(within);
  await using stack = new AsyncDisposableStack();
  for (const way of FIVE_WAYS) {
    const going = { owner: live.owner, stack, count: SERVERS };
    await phase(within, `103 at ${way.name}`, () => goToEndless(way, going));
  }
}

interface Within {
  readonly live: LiveServer;
  readonly dataDir: string;
}

async function importItems(within: Within, name: string, revision: number): Promise<void> {
  const make = () => generateItems(PRODUCTS, revision, { isVaried: true });
  const file = await weighFile("application/xml", make);
  await phase(within, name, async () => {
    const { inserted, updated } = await sendImport(within.live, file, "?mode=upsert");
    if (inserted + updated !== PRODUCTS) throw new Error(`${inserted} + ${updated} products`);
  });
}

async function pushPrices({ owner, url }: LiveServer): Promise<void> {
  const asked = { name: "push", scopes: ["observations:write"] };
  const { key } = await owner.create("/api/keys", asked);
  const program = callerWithKey(url, key);
  const observedAt = new Date().toISOString();
  for (let from = 0; from < PRODUCTS; from += ROWS_PER_PUSH) {
    const observations = Array.from(
      { length: Math.min(ROWS_PER_PUSH, PRODUCTS - from) },
      (_, at) => {
        const n = from + at;
        // No server listens at this address, so a visit fails at once.
        const page = `http://127.0.0.1:9/p/${n}`;
        const price = Math.round(itemCents(n, 1) * (0.9 + n % 20 / 100)) / 100;
        return { sku: itemSku(n), url: page, price, currency: "EUR", inStock: true, observedAt };
      },
    );
    await program.act("/api/public/v1/observations", { observations });
  }
}

function startPerson({ get }: Caller): AsyncDisposable {
  let isOver = false;
  const working = (async () => {
    for (let n = 0; !isOver; n = (n + 1) % PERSON_PATHS.length) {
      await statusOf(get(PERSON_PATHS[n] ?? ""));
      await pause(PERSON_MS);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      await working;
    },
  };
}

async function simulate(caller: Caller): Promise<void> {
  const rule = { ...UNDERCUT, name: "New", priority: 1 };
  const { id } = await caller.begin("/api/simulations", { rule });
  await untilSucceeded(caller, `/api/simulations/${id}`, SIMULATION_POLL_MS);
}

async function takeFiles(within: Within): Promise<void> {
  const { owner, url } = within.live;
  const { key } = await owner.create("/api/keys", { name: "bench", scopes: [] });
  const program = callerWithKey(url, key);
  const files: readonly (readonly [name: string, caller: Caller, path: string])[] = [
    ["list as CSV", owner, "/api/products.csv"],
    ["list as CSV by title", owner, "/api/products.csv?sort=title"],
    ["list as XLSX", owner, "/api/products.xlsx"],
    ["list as XLSX by gap", owner, "/api/products.xlsx?sort=gapPct&columns=sku,cheapest,gapPct"],
    ["list as NDJSON", program, "/api/public/v1/products.ndjson"],
  ];
  for (const [name, caller, path] of files) {
    await phase(within, name, () => takeFile(caller, path));
  }
}

async function runCommands(within: Within): Promise<void> {
  const out = `${within.dataDir}/out`;
  const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
    ["workspace export", ["workspace", "export", out]],
    ["backup", ["backup", `${out}.db`]],
    ["check-store", ["check-store"]],
  ];
  for (const [name, args] of commands) {
    await phase(within, name, async () => {
      const { code, err } = await kurant(args, { DATA_DIR: within.dataDir });
      if (code !== 0) throw new Error(err);
    });
  }
}

interface Late {
  readonly tookMs: number;
  readonly ownMs: number;
}

async function phase(
  { live, dataDir }: Within,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  const probe = startProbe(live.url, { pid: await serverPid(dataDir), everyMs: BEAT_MS });
  const beganAt = performance.now();
  try {
    await until("the server is asked", () => probe.beats.length > 0);
    await work();
  } finally {
    await probe.stop();
  }
  const seconds = (performance.now() - beganAt) / 1_000;
  const by = (of: (beat: Beat) => number) => (one: Beat, other: Beat) => of(other) - of(one);
  const ownMs = ({ tookMs, waitedMs }: Beat) => Math.max(0, tookMs - (waitedMs ?? 0));
  const [latest] = probe.beats.toSorted(by(({ tookMs }) => tookMs));
  const [held] = probe.beats.toSorted(by(ownMs));
  if (!latest || !held) throw new Error(`${name}: the server was never asked`);
  worst.set(name, [...worst.get(name) ?? [], { tookMs: latest.tookMs, ownMs: ownMs(held) }]);
  const usual = quantile(probe.beats.map(({ tookMs }) => tookMs), 0.99);
  say(
    `${name.padEnd(24)} ${seconds.toFixed(1).padStart(5)} s, ${probe.beats.length} × /healthz: ` +
      `p99 ${usual.toFixed(0)} ms, worst ${words(latest)}` +
      (held === latest ? "" : `, own worst ${words(held)}`) +
      `; stall gauge ${(await stallMs(live)).toFixed(0)} ms, ` +
      `load ${Deno.loadavg()[0]?.toFixed(1)}`,
  );
}

function words({ tookMs, workedMs, waitedMs }: Beat): string {
  const ms = (value: number | null) => value?.toFixed(0) ?? "?";
  return `${ms(tookMs)} ms (thread worked ${ms(workedMs)}, waited for a core ${ms(waitedMs)})`;
}

async function takeFile(caller: Caller, path: string): Promise<void> {
  const answer = await caller.get(path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  let bytes = 0;
  for await (const chunk of answer.body ?? []) bytes += chunk.length;
  if (bytes < PRODUCTS) throw new Error(`${path} has ${bytes} bytes`);
}

async function stallMs({ url }: LiveServer): Promise<number> {
  const caller = createCaller(url, { Authorization: `Bearer ${METRICS_TOKEN}` });
  const text = await (await caller.get("/metrics")).text();
  return Number(/^kurant_event_loop_stall_seconds (\S+)$/m.exec(text)?.[1]) * 1_000;
}
