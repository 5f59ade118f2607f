/** Records all writes that the server has acknowledged, and checks at the end that none is lost. */
import type { Ask } from "./calls.ts";

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
