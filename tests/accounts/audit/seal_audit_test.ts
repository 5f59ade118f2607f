import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import {
  type AuditPlace,
  auditSeals,
  ENTRY_BYTES,
  placeOf,
  readSealedList,
} from "../../../src/accounts/audit/audit_seal_store.ts";
import { addAuditRow, auditRows } from "../../../src/accounts/audit/audit_store.ts";
import {
  expireAuditRows,
  sealAuditRows,
  verifyAudit,
} from "../../../src/accounts/audit/seal_audit.ts";
import { provideWorkspace } from "../../../src/accounts/set_up.ts";
import { DAY_MS } from "../../../src/base/time.ts";
import { createIdSource } from "../../../src/base/id.ts";
import { type Context, createClock } from "../../../src/platform/store/context.ts";
import { type Store, transact } from "../../../src/platform/store/kv.ts";
import { extent } from "../../proof.ts";
import { onEveryStore } from "../../stores.ts";

const START = Date.parse("2026-03-02T09:00:00.000Z");

/** A process whose clock is wrong by `skewMs` milliseconds, and whose commits may take long. */
const oneProcess = fc.record({
  skewMs: fc.integer({ min: -3_600_000, max: 3_600_000 }),
  commits: fc.array(
    fc.record({
      rows: fc.integer({ min: 1, max: 3 }),
      beginsMs: fc.nat(600_000),
      waits: fc.nat(12),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});
type Process = typeof oneProcess extends fc.Arbitrary<infer T> ? T : never;
const processes = fc.array(oneProcess, { minLength: 2, maxLength: 4 });

async function begin(store: Store): Promise<Context> {
  const clock = await createClock(store, () => new Date(START));
  return await provideWorkspace({ store, clock }, undefined);
}

/** A row gets its time and id when a change begins, but is committed some reads later. */
async function run(ctx: Context, { skewMs, commits }: Process): Promise<void> {
  await Promise.all(commits.map(async ({ rows, beginsMs, waits }) => {
    const atMs = START + skewMs + beginsMs;
    const newId = createIdSource(() => atMs, (count) => new Uint8Array(randomBytes(count)));
    await transact(ctx, async (write) => {
      for (let n = 0; n < rows; n++) {
        addAuditRow(write, { ...ctx, newId, now: () => new Date(atMs) }, entry(n));
      }
      for (let n = 0; n < waits; n++) await ctx.store.kv.get(["nothing", n]);
    });
  }));
}

const entry = (n: number) => ({
  action: "product.update",
  resource: { type: "product", id: `p${n}`, label: "" },
  before: { ourPrice: n },
  after: { ourPrice: n + 1 },
} as const);

/** Writes rows as a version without seals did, a hundred per commit. */
async function addOldRows(ctx: Context, count: number): Promise<void> {
  for (let from = 0; from < count; from += 100) {
    await transact(ctx, (write) => {
      for (let n = from; n < from + 100; n++) {
        const atMs = START - (n % 7) * DAY_MS;
        const place = { id: ctx.newId(), atMs, at: new Date(atMs).toISOString() };
        auditRows.put(write, ctx, { ...entry(0), ...place, actor: ctx.actor, requestId: "" });
      }
    });
  }
}

async function sealedPlaces(ctx: Context): Promise<AuditPlace[]> {
  const places: AuditPlace[] = [];
  for await (const { row } of auditSeals.walk(ctx)) {
    const list = await readSealedList(ctx, row.number);
    for (let at = 0; at < list.length; at += ENTRY_BYTES) places.push(placeOf(list.subarray(at)));
  }
  return places;
}

onEveryStore.test("each audit row is in exactly one seal, in commit order", async (store) => {
  const runs = extent(40, store.kind === "remote" ? 3 : 6);
  await fc.assert(
    fc.asyncProperty(processes, async (all) => {
      const ctx = await newChain(store);
      let isOver = false;
      const sealer = async () => {
        while (!isOver) await sealAuditRows({ store, clock: ctx });
      };
      const sealing = Promise.all([sealer(), sealer()]);
      await Promise.all(all.map((process) => run(ctx, process)));
      isOver = true;
      await sealing;
      await sealAuditRows({ store, clock: ctx });
      const places = await sealedPlaces(ctx);
      const rows = await auditRows.list(ctx);
      const ids = places.map(({ id }) => id);
      assertEquals(ids.toSorted(), rows.map(({ row }) => row.id).toSorted());
      const versions = new Map(rows.map(({ row, versionstamp }) => [row.id, versionstamp]));
      const inOrder = ids.map((id) => versions.get(id) ?? "");
      assertEquals(inOrder, inOrder.toSorted());
      const { findings, unsealed } = await verifyAudit(ctx);
      assertEquals([findings, unsealed], [[], 0]);
    }),
    { numRuns: runs },
  );
});

/** A new workspace, because each run needs its own chain of seals. */
async function newChain(store: Store): Promise<Context> {
  const clock = await createClock(store, () => new Date(START));
  return await provideWorkspace({ store, clock }, clock.newId());
}

onEveryStore.test("the first seals contain all earlier rows", async (store) => {
  const ctx = await begin(store);
  await addOldRows(ctx, 1_200);
  await run(ctx, { skewMs: -86_400_000, commits: [{ rows: 3, beginsMs: 0, waits: 0 }] });
  assertEquals(await sealAuditRows({ store, clock: ctx }), 1_204);
  await run(ctx, { skewMs: -8 * 86_400_000, commits: [{ rows: 2, beginsMs: 0, waits: 0 }] });
  const before = await verifyAudit(ctx);
  assertEquals([before.findings, before.sealed, before.unsealed], [[], 1_204, 2]);
  assertEquals(await sealAuditRows({ store, clock: ctx }), 2);
  assertEquals(await sealAuditRows({ store, clock: ctx }), 0);
  const places = await sealedPlaces(ctx);
  assertEquals(new Set(places.map(({ id }) => id)).size, 1_206);
  assertEquals(places.length, 1_206);
  const { findings, sealed, unsealed, head } = await verifyAudit(ctx);
  assertEquals([findings, sealed, unsealed], [[], 1_206, 0]);
  ok(head !== null && head.old === null);
  assertEquals((await verifyAudit(ctx, head.hash)).expectedAt, head.number);
  assertEquals((await verifyAudit(ctx, "0".repeat(64))).expectedAt, null);
});

onEveryStore.test("rows that expire leave their seals, and the chain stays valid", async (store) => {
  const ctx = await begin(store);
  const clock = { now: () => new Date(START) };
  await run(ctx, { skewMs: -900 * DAY_MS, commits: [{ rows: 3, beginsMs: 0, waits: 0 }] });
  await sealAuditRows({ store, clock: { now: () => new Date(START - 900 * DAY_MS) } });
  await run(ctx, { skewMs: 0, commits: [{ rows: 2, beginsMs: 0, waits: 0 }] });
  await sealAuditRows({ store, clock });
  const whole = await verifyAudit(ctx);
  const before = new Date(START - 365 * DAY_MS);
  assertEquals(await expireAuditRows(store, new Date(START - 999 * DAY_MS), new Date(START)), 0);
  const gone = await expireAuditRows(store, before, new Date(START));
  // Three added rows, and the row about the creation of the workspace.
  assertEquals(gone, 4);
  assertEquals(await expireAuditRows(store, before, new Date(START)), 0);
  const { findings, sealed, expired, head } = await verifyAudit(ctx);
  assertEquals([findings, sealed, expired], [whole.findings, 2, 4]);
  assertEquals(head?.hash, whole.head?.hash);
});
