/**
 * Sends and records the requests of a load test, with kind, duration and whether the status was
 * expected.
 */
import { pause } from "../patience.ts";

export const EXTERNAL = "/api/public/v1";

/** A finished request. `status` is 0 if the connection broke before the end of the answer. */
export interface NotedCall {
  readonly kind: string;
  readonly status: number;
  readonly isExpected: boolean;
  readonly beganAtMs: number;
  readonly endedAtMs: number;
  readonly text: string;
}

export interface Asked {
  /** The row of the summary that counts the request; by default its path. */
  readonly kind?: string;
  readonly method?: "GET" | "POST" | "PATCH";
  readonly path: string;
  /** Text is sent as XML, other bodies as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly expects?: readonly number[];
}

interface Answered<T> {
  readonly status: number;
  /** Null if the service answered with an unexpected status. */
  readonly body: T | null;
}

export type Ask = <T>(asked: Asked) => Promise<Answered<T>>;

export type Calls = ReturnType<typeof createCalls>;

const DEFAULT_EXPECTED = [200, 201, 202];
const TEXT_KEPT = 300;

export function createCalls(base: string) {
  let client = Deno.createHttpClient({});
  const noted: NotedCall[] = [];

  async function call<T>(credential: Record<string, string>, asked: Asked): Promise<Answered<T>> {
    const beganAtMs = performance.now();
    const { status, text } = await exchange(credential, asked);
    const isExpected = (asked.expects ?? DEFAULT_EXPECTED).includes(status);
    noted.push({
      kind: asked.kind ?? asked.path,
      status,
      isExpected,
      beganAtMs,
      endedAtMs: performance.now(),
      text: isExpected ? "" : text.slice(0, TEXT_KEPT),
    });
    return { status, body: isExpected && text !== "" ? JSON.parse(text) : null };
  }

  async function exchange(credential: Record<string, string>, asked: Asked) {
    const { path, body, headers, method = body === undefined ? "GET" : "POST" } = asked;
    const isText = typeof body === "string";
    const type = isText ? "application/xml" : "application/json";
    try {
      const answer = await fetch(base + path, {
        method,
        client,
        headers: { ...credential, ...(body !== undefined && { "Content-Type": type }), ...headers },
        body: isText || body === undefined ? body : JSON.stringify(body),
      });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      // A broken connection is no error here, because `judge` decides whether the connection was
      // allowed to break.
      return { status: 0, text: String(error) };
    }
  }

  return {
    as: (credential: Record<string, string>): Ask => (asked) => call(credential, asked),
    hangUp() {
      client.close();
      client = Deno.createHttpClient({});
    },
    noted,
  };
}

export async function create(ask: Ask, path: string, body: unknown): Promise<string> {
  const answer = await ask<{ id: string }>({ kind: "seed", path, body });
  if (answer.body === null) throw new Error(`${path} is answered with ${answer.status}`);
  return answer.body.id;
}

interface Flow {
  /** The number of simultaneous executions; 1 by default. */
  readonly side?: number;
  readonly pauseMs: number;
  once(): Promise<unknown>;
}

export function repeat(flows: readonly Flow[]) {
  let isOver = false;
  const running = flows.flatMap(({ side = 1, pauseMs, once }) =>
    Array.from({ length: side }, async () => {
      while (!isOver) {
        await once();
        for (let left = pauseMs; left > 0 && !isOver; left -= 100) {
          await pause(Math.min(left, 100));
        }
      }
    })
  );
  return {
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

export const below = (count: number) => Math.floor(Math.random() * count);
export const oneOf = <T>(list: readonly T[]): T => list[below(list.length)]!;

export class Ledger {
  /** SKU → id of each acknowledged creation. */
  readonly created = new Map<string, string>();
  /** For each changed product, the number in the last sent and in the last acknowledged change. */
  readonly changed = new Map<string, { sent: number; acknowledged: number }>();
  /** `productId cents` of each acknowledged price change by a person. */
  readonly prices = new Set<string>();
  /** SKU → `price observedAt` of each acknowledged observation. */
  readonly pushed = new Map<string, Set<string>>();
  readonly imports: { readonly jobId: string; readonly revision: number }[] = [];
  readonly runs = new Set<string>();
  readonly approved = new Set<string>();
}

/** The price of change `n`. The title of the changed product contains `n`. */
export const changedCents = (n: number) => 1_001 + n;

export const IMPORTED = 2_000;
export const importedSku = (n: number) => `I-${n}`;
export const importedCents = (n: number, revision: number) =>
  100 + (n * 7_919 + revision * 104_729) % 90_000;

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  readonly count: number;
}

async function read<T>(ask: Ask, path: string): Promise<T> {
  const { status, body } = await ask<T>({ kind: "verify", path });
  if (body === null) throw new Error(`${path} answers ${status}`);
  return body;
}

async function* pagesOf<T>(ask: Ask, path: string): AsyncGenerator<T> {
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Page<T> = await read(ask, `${path}&cursor=${cursor}`);
    yield* page.items;
    cursor = page.nextCursor;
  }
}

interface ShownProduct {
  readonly id: string;
  readonly sku: string;
  readonly title: string;
  readonly ourPriceCents: number;
}

interface ShownImport {
  readonly jobId: string;
  readonly status: string;
  readonly count: number;
  readonly stats: Readonly<Record<"inserted" | "updated" | "skipped" | "errors", number>>;
}

const isOver = ({ status }: { status: string }) => status !== "queued" && status !== "running";

export async function isSettled(ask: Ask): Promise<boolean> {
  for (const status of ["queued", "running"]) {
    const { count } = await read<Page<unknown>>(ask, `/api/scrape-runs?status=${status}&limit=1`);
    if (count > 0) return false;
  }
  for await (const job of pagesOf<ShownImport>(ask, "/api/imports?limit=200")) {
    if (!isOver(job)) return false;
  }
  return true;
}

/**
 * Number of price changes that are not delivered yet. The events of a product arrive in order, so a
 * refused event delays the later ones of its product.
 */
export async function waitingPrices(ask: Ask, webhookId: string): Promise<number> {
  let waiting = 0;
  const path = `/api/webhooks/${webhookId}/deliveries?limit=200`;
  const deliveries = pagesOf<{ type: string; status: string }>(ask, path);
  for await (const { type, status } of deliveries) {
    if (type === "price.changed" && status === "pending") waiting++;
  }
  return waiting;
}

/** One sentence for each acknowledged write that is missing or exists twice. */
export async function* findLosses(ask: Ask, ledger: Ledger): AsyncGenerator<string> {
  yield* lostProducts(ask, ledger);
  yield* lostChanges(ask, ledger);
  yield* lostObservations(ask, ledger);
  yield* lostJobs(ask, ledger);
  yield* lostApprovals(ask, ledger);
}

async function* lostProducts(ask: Ask, { created, imports }: Ledger): AsyncGenerator<string> {
  const revision = imports.at(-1)?.revision;
  const found = new Map<string, string>();
  let imported = 0;
  const products = pagesOf<ShownProduct>(ask, "/api/products?limit=200");
  for await (const { id, sku, ourPriceCents } of products) {
    if (found.has(sku)) yield `SKU ${sku} is there twice`;
    found.set(sku, id);
    if (!sku.startsWith("I-") || revision === undefined) continue;
    imported++;
    const cents = importedCents(Number(sku.slice(2)), revision);
    if (ourPriceCents !== cents) yield `${sku} has ${ourPriceCents}, the last file says ${cents}`;
  }
  if (revision !== undefined && imported !== IMPORTED) yield `${imported} imported products`;
  for (const [sku, id] of created) if (found.get(sku) !== id) yield `The product ${sku} is lost`;
}

async function* lostChanges(ask: Ask, { changed }: Ledger): AsyncGenerator<string> {
  for (const [id, { sent, acknowledged }] of changed) {
    const { ourPriceCents, title } = await read<ShownProduct>(ask, `/api/products/${id}`);
    const number = ourPriceCents - changedCents(0);
    if (number < acknowledged || number > sent || title !== `Titel ${number}`) {
      yield `Product ${id} stands at ${number}, acknowledged ${acknowledged}, sent ${sent}`;
    }
    yield* unequalTrails(ask, id);
  }
}

async function* unequalTrails(ask: Ask, id: string): AsyncGenerator<string> {
  const changes = pagesOf<{ toCents: number }>(ask, `/api/products/${id}/price-history?limit=200`);
  const history = await Array.fromAsync(changes, ({ toCents }) => toCents);
  const log = pagesOf<{ after: { ourPriceCents?: number } | null }>(
    ask,
    `/api/audit-logs?resource=product:${id}&limit=200`,
  );
  const prices = await Array.fromAsync(log, ({ after }) => after?.ourPriceCents);
  const audited = prices.filter((cents) => cents !== undefined);
  if (history.sort().join() !== audited.sort().join()) {
    yield `Product ${id}: ${history.length} prices in its history, ${audited.length} in the log`;
  }
}

async function* lostObservations(ask: Ask, { pushed }: Ledger): AsyncGenerator<string> {
  const ids = new Set<string>();
  for (const [sku, rows] of pushed) {
    const left = new Set(rows);
    const observations = pagesOf<{ id: string; price: number; observedAt: string }>(
      ask,
      `/api/observations?sku=${sku}&limit=500`,
    );
    for await (const seen of observations) {
      if (ids.has(seen.id)) yield `Observation ${seen.id} is there twice`;
      ids.add(seen.id);
      left.delete(`${seen.price} ${seen.observedAt}`);
    }
    if (left.size > 0) yield `${left.size} observations of ${sku} are lost`;
  }
}

async function* lostJobs(ask: Ask, { imports, runs }: Ledger): AsyncGenerator<string> {
  const jobs = new Set<string>();
  const shown = pagesOf<ShownImport>(ask, "/api/imports?limit=200");
  for await (const { jobId, status, stats, count } of shown) {
    jobs.add(jobId);
    const sum = stats.inserted + stats.updated + stats.skipped + stats.errors;
    if (status !== "succeeded") yield `The import ${jobId} ended ${status}`;
    if (sum !== count) yield `The import ${jobId} counts ${sum} of ${count} records`;
  }
  for (const { jobId } of imports) if (!jobs.has(jobId)) yield `The import ${jobId} is lost`;
  if (jobs.size > imports.length + 1) yield `${jobs.size} imports of ${imports.length}`;
  for (const runId of runs) {
    const path = `/api/scrape-runs/${runId}`;
    const { body } = await ask<{ status: string }>({ kind: "verify", path });
    if (body?.status !== "succeeded") yield `The run ${runId} is ${body?.status ?? "lost"}`;
  }
}

async function* lostApprovals(ask: Ask, { approved }: Ledger): AsyncGenerator<string> {
  for (const id of approved) {
    const path = `/api/proposals/${id}`;
    const { body } = await ask<{ status: string }>({ kind: "verify", path });
    if (body?.status !== "applied") yield `The proposal ${id} is ${body?.status ?? "lost"}`;
  }
}
