import { DAY_MS } from "../../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import type { AuditRow } from "../../../src/accounts/audit/audit.ts";
import { walkPriceRows } from "../../../src/catalogue/prices/price_rows.ts";
import { type OutboxListener, relayOutbox } from "../../../src/platform/events/outbox_store.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import type { StoredProposal } from "../../../src/rules/proposals/proposal.ts";
import { proposalTable } from "../../../src/rules/proposals/proposal_store.ts";
import { relaySetup } from "../../platform/events/outbox.ts";
import { addProducts, addRule, pushJudged } from "../evaluation/market.ts";
import { startTestApp } from "../../harness.ts";
import { assertWhole, opened, workAndKill } from "../killed_work.ts";
import { openMarketCache } from "../../market/market_reader.ts";
import { createTestClock } from "../../platform/jobs/counting.ts";
import { extent } from "../../proof.ts";
import { inFolder } from "../../temporary_folder.ts";
import { type Action, actionOf, ACTIONS } from "./actions.ts";

const KILLS = extent(20, 1);
const EACH = extent(60, 4);

interface Scene {
  readonly workspaceId: string;
  readonly now: string;
}

/** Adds products at 100.00, each with an open proposal of 90.00. */
async function prepare(store: Store): Promise<Scene> {
  await using app = await startTestApp({ store });
  const skus = Array.from({ length: EACH * ACTIONS.length }, (_, n) => `SKU-${n}`);
  await addProducts(app, skus.map((sku) => ({ sku })));
  await addRule(app.owner, { marginFloor: { pct: 10 } });
  await pushJudged(app, skus.map((sku) => [sku, "acme", 90]));
  return { workspaceId: app.workspaceId, now: app.clock.now().toISOString() };
}

/** The expected proposals, prices and events of each action, once per product. */
const EXPECTED: Record<Action, readonly string[]> = {
  "approve": ["applied", "price 9000", "decided applied", "audit approve now"],
  "reject": ["rejected", "decided rejected", "audit reject"],
  "later": ["open later", "audit later"],
  "reopen": [
    ...["rejected", "open reopened", "decided rejected", "created"],
    ...["audit reject", "audit reopen"],
  ],
  "rollback": [
    ...["rolled_back", "price 9000", "price 10000", "decided applied", "decided rolled_back"],
    ...["open reopened", "created", "audit approve", "audit rollback"],
  ],
  "approve in bulk": ["applied", "price 9000", "decided applied", "audit approve"],
  "reject in bulk": ["rejected", "decided rejected", "audit reject"],
};

inFolder.test(`decisions that are killed ${KILLS} times are each complete and reported once`, async (folder) => {
  const dataDir = folder.path;
  const scene = await opened(dataDir, prepare);
  const until = new Date(Date.parse(scene.now) + DAY_MS).toISOString();
  await workAndKill({
    child: new URL("crash_child.ts", import.meta.url),
    dataDir,
    args: [scene.workspaceId, scene.now, until],
    kills: KILLS,
    ended: (store) => requireSound(store, scene),
  });
  await opened(dataDir, async (store) => {
    assertEquals(await told(store, scene), await expected(store, scene));
  });
});

/** Asserts that each decision was made completely or not at all. */
async function requireSound(store: Store, { workspaceId, now }: Scene): Promise<void> {
  await assertWhole({ store, workspaceId });
  const proposals = (await proposalTable.list({ store, workspaceId })).map(({ row }) => row);
  const open = proposals.filter(({ status }) => status === "open");
  const market = openMarketCache();
  const { table } = await market.read({ store, workspaceId, now: () => new Date(now) });
  const inMarket = Array.from({ length: table.rows }, (_, row) => table.proposalOf(row)?.id ?? "");
  assertEquals(inMarket.filter((id) => id !== "").sort(), open.map(({ id }) => id).sort());
  for (const { status, appliedCents, productId } of proposals) {
    const ours = table.number("ourCents", table.rowOf(productId) ?? -1);
    assertEquals([ours, appliedCents ?? null], [
      status === "applied" ? 9_000 : 10_000,
      status === "applied" || status === "rolled_back" ? 9_000 : null,
    ]);
  }
  await market.close();
}

/** Returns the stored facts of each product, each with the number of its occurrences. */
async function told(store: Store, { workspaceId }: Scene): Promise<string[]> {
  const facts: string[] = [];
  const skus = new Map<string, string>();
  for (const { row: proposal } of await proposalTable.list({ store, workspaceId })) {
    skus.set(proposal.productId, proposal.sku);
    facts.push(`${proposal.sku} ${standOf(proposal)}`);
  }
  for await (const { productId, change } of walkPriceRows({ store, workspaceId })) {
    const isDecided = change.source === "proposal" || change.source === "rollback";
    if (isDecided) facts.push(`${skus.get(productId)} price ${change.toCents}`);
  }
  for await (const { value } of store.kv.list<AuditRow>({ prefix: ["au"] })) {
    const { action, resource, reason } = value;
    if (resource.type !== "proposal") continue;
    const verb = action.slice("proposal.".length);
    facts.push([resource.label, "audit", verb, ...(reason ? [reason] : [])].join(" "));
  }
  for (const [fact, count] of await heard(store)) {
    for (let n = 0; n < count; n++) facts.push(fact);
  }
  return facts.sort();
}

function standOf({ status, heldUntil, reopenedFrom }: StoredProposal): string {
  return [status, ...(heldUntil ? ["later"] : []), ...(reopenedFrom ? ["reopened"] : [])].join(" ");
}

/** How often listeners handled each event of a proposal. */
async function heard(store: Store): Promise<Map<string, number>> {
  const counting: OutboxListener = {
    handle(write, _ctx, { event }) {
      const { type, data } = event;
      if (type === "proposal.decided") {
        write.sum(["heard", `${data.sku} decided ${data.status}`], 1);
      }
      if (type === "proposal.created") write.sum(["heard", `${data.sku} created`], 1);
      if (type === "price.changed") write.sum(["heard", `${data.sku} price ${data.toCents}`], 1);
      return Promise.resolve();
    },
  };
  await relayOutbox(relaySetup(store, createTestClock(), [counting]));
  const rows = await Array.fromAsync(store.kv.list<Deno.KvU64>({ prefix: ["heard"] }));
  return new Map(rows.map(({ key, value }) => [String(key[1]), Number(value.value)]));
}

async function expected(store: Store, { workspaceId }: Scene): Promise<string[]> {
  const skus = new Set<string>();
  for (const { row } of await proposalTable.list({ store, workspaceId })) skus.add(row.sku);
  const facts = [...skus].flatMap((sku) =>
    EXPECTED[actionOf({ sku })].flatMap((fact) => {
      const line = `${sku} ${fact}`;
      // A price appears both in the history and in an event.
      return fact.startsWith("price ") ? [line, line] : [line];
    })
  );
  assertEquals(skus.size, EACH * ACTIONS.length);
  return facts.sort();
}
