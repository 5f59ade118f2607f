/** Sends the requests of a load, and records kind, duration and whether the status was expected. */
import { column, everyItem } from "../api/answers.ts";
import type { Caller } from "../caller.ts";

export const EXTERNAL = "/api/public/v1";

type Json = ReturnType<typeof JSON.parse>;

/** `status` is 0 if the connection broke before the response was complete. */
export interface NotedCall {
  readonly kind: string;
  readonly status: number;
  readonly isExpected: boolean;
  readonly beganAtMs: number;
  readonly endedAtMs: number;
  readonly text: string;
}

export interface Asked {
  /** Requests of one kind share a row of the summary. */
  readonly kind: string;
  readonly method?: "GET" | "POST" | "PATCH";
  readonly path: string;
  /** A string is sent as XML, any other value as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly expects?: readonly number[];
}

/** `body` is null if the status was unexpected or the response empty. */
export type Ask = (asked: Asked) => Promise<{ readonly status: number; readonly body: Json }>;

const DEFAULT_EXPECTED = [200, 201, 202];
const TEXT_KEPT = 300;

export function createCalls(base: string) {
  const client = Deno.createHttpClient({});
  const noted: NotedCall[] = [];
  const send = async (credential: Record<string, string>, asked: Asked) => {
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
      // A broken connection fails the load, except during the restart.
      return { status: 0, text: String(error) };
    }
  };
  return {
    as: (credential: Record<string, string>): Ask => async (asked) => {
      const beganAtMs = performance.now();
      const { status, text } = await send(credential, asked);
      const isExpected = (asked.expects ?? DEFAULT_EXPECTED).includes(status);
      noted.push({
        kind: asked.kind,
        status,
        isExpected,
        beganAtMs,
        endedAtMs: performance.now(),
        text: isExpected ? "" : text.slice(0, TEXT_KEPT),
      });
      return { status, body: isExpected && text !== "" ? JSON.parse(text) : null };
    },
    [Symbol.dispose]: () => client.close(),
    noted,
  };
}

export class Ledger {
  /** SKU → id of each product that the server says it has created. */
  readonly created = new Map<string, string>();
  /** Product id → number of its last change that was sent, and that was acknowledged. */
  readonly changed = new Map<string, { sent: number; acknowledged: number }>();
  /** Acknowledged price changes of people, as `productId cents`. */
  readonly prices = new Set<string>();
  /** SKU → acknowledged observations, as `price observedAt`. */
  readonly pushed = new Map<string, Set<string>>();
  readonly imports: { readonly jobId: string; readonly revision: number }[] = [];
  readonly runs = new Set<string>();
  readonly approved = new Set<string>();
}

/** Our price after change number `n`, in cents. Change `n` also sets the title `Titel n`. */
export const changedCents = (n: number) => 1_001 + n;

export const IMPORTED = 2_000;
export const importedSku = (n: number) => `I-${n}`;
export const importedCents = (n: number, revision: number) =>
  100 + (n * 7_919 + revision * 104_729) % 90_000;

const isOver = ({ status }: Json) => status !== "queued" && status !== "running";

export async function isSettled(owner: Caller): Promise<boolean> {
  for (const status of ["queued", "running"]) {
    if ((await owner.read(`/api/scrape-runs?status=${status}&limit=1`)).count > 0) return false;
  }
  return (await everyItem(owner, "/api/imports?limit=200")).every(isOver);
}

/** Returns how many price changes are not delivered yet. */
export async function waitingPrices(owner: Caller, webhookId: string): Promise<number> {
  const sent = await everyItem(owner, `/api/webhooks/${webhookId}/deliveries?limit=200`);
  const isWaiting = ({ type, status }: Json) => type === "price.changed" && status === "pending";
  return sent.filter(isWaiting).length;
}

/** Also finds acknowledged writes that were stored twice. */
export async function* findLosses(owner: Caller, ledger: Ledger): AsyncGenerator<string> {
  yield* lostProducts(owner, ledger);
  for (const [id, change] of ledger.changed) yield* lostChanges(owner, id, change);
  yield* lostObservations(owner, ledger);
  yield* lostImports(owner, ledger);
  const statusAt = async (path: string) => {
    const answer = await owner.get(path);
    return (await answer.json()).status ?? `answered ${answer.status}`;
  };
  const ended = [
    ["run", ledger.runs, "scrape-runs", "succeeded"],
    ["proposal", ledger.approved, "proposals", "applied"],
  ] as const;
  for (const [what, ids, list, wanted] of ended) {
    for (const id of ids) {
      const status = await statusAt(`/api/${list}/${id}`);
      if (status !== wanted) yield `The ${what} ${id} is ${status}`;
    }
  }
}

function* repeated(what: string, names: readonly string[]): Generator<string> {
  for (const [name, { length }] of Map.groupBy(names, (name) => name)) {
    if (length > 1) yield `${what} ${name} is there ${length} times`;
  }
}

async function* lostProducts(owner: Caller, { created, imports }: Ledger): AsyncGenerator<string> {
  const products = await everyItem(owner, "/api/products?limit=200");
  yield* repeated("SKU", column(products, "sku"));
  const found = new Map(products.map(({ sku, id }) => [sku, id]));
  for (const [sku, id] of created) if (found.get(sku) !== id) yield `The product ${sku} is lost`;
  const revision = imports.at(-1)?.revision;
  if (revision === undefined) return;
  const imported = products.filter(({ sku }) => sku.startsWith(importedSku(0).slice(0, -1)));
  if (imported.length !== IMPORTED) yield `${imported.length} imported products`;
  for (const { sku, ourPriceCents } of imported) {
    const cents = importedCents(Number(sku.slice(2)), revision);
    if (ourPriceCents !== cents) yield `${sku} has ${ourPriceCents}, the last file says ${cents}`;
  }
}

async function* lostChanges(
  owner: Caller,
  id: string,
  { sent, acknowledged }: { readonly sent: number; readonly acknowledged: number },
): AsyncGenerator<string> {
  const { ourPriceCents, title } = await owner.read(`/api/products/${id}`);
  const number = ourPriceCents - changedCents(0);
  if (number < acknowledged || number > sent || title !== `Titel ${number}`) {
    yield `Product ${id} stands at ${number}, acknowledged ${acknowledged}, sent ${sent}`;
  }
  const changes = await everyItem(owner, `/api/products/${id}/price-history?limit=200`);
  const log = await everyItem(owner, `/api/audit-logs?resource=product:${id}&limit=200`);
  const history: number[] = column(changes, "toCents");
  const audited: number[] = log.flatMap(({ after }) => after?.ourPriceCents ?? []);
  if (history.sort().join() !== audited.sort().join()) {
    yield `Product ${id}: ${history.length} prices in its history, ${audited.length} in the log`;
  }
}

async function* lostObservations(owner: Caller, { pushed }: Ledger): AsyncGenerator<string> {
  const ids: string[] = [];
  for (const [sku, rows] of pushed) {
    const seen = await everyItem(owner, `/api/observations?sku=${sku}&limit=500`);
    ids.push(...column(seen, "id"));
    const found = new Set(seen.map(({ price, observedAt }) => `${price} ${observedAt}`));
    const left = rows.difference(found).size;
    if (left > 0) yield `${left} observations of ${sku} are lost`;
  }
  yield* repeated("Observation", ids);
}

async function* lostImports(owner: Caller, { imports }: Ledger): AsyncGenerator<string> {
  const jobs = await everyItem(owner, "/api/imports?limit=200");
  for (const { jobId, status, stats, count } of jobs) {
    const sum = stats.inserted + stats.updated + stats.skipped + stats.errors;
    if (status !== "succeeded") yield `The import ${jobId} ended ${status}`;
    if (sum !== count) yield `The import ${jobId} counts ${sum} of ${count} records`;
  }
  const known = new Set(column(jobs, "jobId"));
  for (const { jobId } of imports) if (!known.has(jobId)) yield `The import ${jobId} is lost`;
  if (known.size > imports.length + 1) yield `${known.size} imports of ${imports.length}`;
}
