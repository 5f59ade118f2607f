import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { bodyOf, column, everyItem, refusalOf } from "../api/answers.ts";
import type { Caller } from "../caller.ts";
import { findingsOf, type LiveServer, startLiveServer } from "../program.ts";
import { extent, IS_LONG } from "../proof.ts";
import { inFolder } from "../temporary_folder.ts";

const WRITES = extent(1_000, 60);
const CREATORS = 24;
const CHANGERS = 8;
/** Numbers of created products after which the server is killed. */
const KILL_AFTER = IS_LONG ? [40, 350] : [25];

type Made = NonNullable<Awaited<ReturnType<typeof makeOne>>>;

/** What clients know about their writes; a write without a response may have been stored. */
interface Ledger {
  readonly sent: Set<string>;
  readonly made: Map<string, Made>;
  /** For each product id: numbers of the last sent and of the last acknowledged change. */
  readonly changes: Map<string, { sent: number; acknowledged: number }>;
}

inFolder.test(`kill -9 after ${KILL_AFTER.join(" and after ")} of ${WRITES} writes loses none, and a repeated POST creates nothing twice`, async (folder) => {
  await using servers = new AsyncDisposableStack();
  const start = async () => servers.use(await startLiveServer(folder.path));
  let live = await start();
  const skus: string[] = [];
  for (const [round, killAfter] of KILL_AFTER.entries()) {
    const ledger = await writeUntilKilled(live, killAfter, round);
    ok(ledger.made.size >= killAfter && ledger.made.size < WRITES, `${ledger.made.size} made`);
    live = await start();
    await requireAcknowledged(live.owner, ledger);
    skus.push(...await repeatAll(live.owner, ledger, round));
    const listed = column(await everyItem(live.owner, "/api/products?limit=200"), "sku");
    assertEquals(listed.sort(), skus.sort());
  }
  assertEquals((await live.stop("SIGTERM")).code, 0);
  assertEquals(await findingsOf(folder.path), "");
});

async function writeUntilKilled(live: LiveServer, killAfter: number, round: number) {
  const ledger: Ledger = { sent: new Set(), made: new Map(), changes: new Map() };
  for (let n = 0; n < CHANGERS; n++) {
    const sku = changedSku(round, n);
    const { id } = await live.owner.create("/api/products", productOf(sku));
    ledger.changes.set(id, { sent: 0, acknowledged: 0 });
  }
  let crashed: Promise<unknown> | null = null;
  let next = 0;
  const create = async () => {
    while (next < WRITES && !crashed) {
      const sku = `R${round}-${next++}`;
      ledger.sent.add(sku);
      const made = await makeOne(live.owner, sku);
      if (made === null) return;
      ledger.made.set(sku, made);
      if (ledger.made.size === killAfter) crashed = live.crash();
    }
  };
  const change = async (id: string, change: { sent: number; acknowledged: number }) => {
    while (next < WRITES && !crashed) {
      const number = ++change.sent;
      const body = { title: `Titel ${number}`, ourPriceCents: 1_001 + number };
      const answer = await live.owner.patch(`/api/products/${id}`, body).catch(() => null);
      if (answer === null || await answer.text().catch(() => null) === null) return;
      assertEquals(answer.status, 200);
      change.acknowledged = number;
    }
  };
  await Promise.all([
    ...Array.from({ length: CREATORS }, create),
    ...[...ledger.changes].map(([id, state]) => change(id, state)),
  ]);
  await crashed;
  return ledger;
}

const changedSku = (round: number, n: number) => `CHANGED-${round}-${n}`;

function productOf(sku: string) {
  return { sku, title: "Titel 0", brand: "Bosch", ourPriceCents: 1_001 };
}

function postOne(owner: Caller, sku: string): Promise<Response> {
  return owner.post("/api/products", productOf(sku), { "Idempotency-Key": `key of ${sku}` });
}

async function makeOne(owner: Caller, sku: string) {
  const answer = await postOne(owner, sku).catch(() => null);
  const text = await answer?.text().catch(() => null);
  if (!answer || typeof text !== "string") return null;
  assertEquals(answer.status, 201, `${sku}: ${text}`);
  return { document: JSON.parse(text), location: answer.headers.get("Location") };
}

async function requireAcknowledged(owner: Caller, { made, changes }: Ledger): Promise<void> {
  for (const { document } of made.values()) {
    const shown = await owner.read(`/api/products/${document.id}`);
    const { competitorPrices: _, market: __, ...found } = shown;
    assertEquals(found, document);
  }
  for (const [id, { sent, acknowledged }] of changes) {
    const { title, ourPriceCents } = await owner.read(`/api/products/${id}`);
    const number = Number(title.replace("Titel ", ""));
    ok(number === acknowledged || number === sent, `${number}, ${acknowledged} of ${sent}`);
    assertEquals(ourPriceCents, 1_001 + number);
  }
}

/** Repeats every POST; returns the SKUs that must exist now. */
async function repeatAll(owner: Caller, { sent, made, changes }: Ledger, round: number) {
  const skus = Array.from({ length: changes.size }, (_, n) => changedSku(round, n));
  for (const sku of sent) {
    const answer = await postOne(owner, sku);
    if (answer.status === 409) {
      // The killed process had reserved the idempotency key, which becomes free after 60 s.
      assertEquals([(await refusalOf(answer)).code, made.has(sku)], ["conflict", false]);
      continue;
    }
    const document = await bodyOf(answer, 201);
    const before = made.get(sku);
    if (before) {
      assertEquals(document, before.document);
      assertEquals(answer.headers.get("Location"), before.location);
      assertEquals(answer.headers.get("Idempotent-Replayed"), "true");
    }
    assertEquals(document.sku, sku);
    skus.push(sku);
  }
  return skus;
}
