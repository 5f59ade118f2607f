import { findLastSeal, oldestUnsealedMs } from "../../accounts/audit/audit_seal_store.ts";
import { countInWorkspaces, eachWorkspace } from "../../accounts/workspace.ts";
import { countJobs } from "../../platform/jobs/job_store.ts";
import type { Figure } from "../../platform/metrics.ts";
import type { Store } from "../../platform/store/kv.ts";
import { countResting } from "../../rules/evaluation/count_clauses.ts";
import { countFailingPages } from "../../shops/offers/failing_and_held_store.ts";
import type { Shared } from "./room_deps.ts";
import { backupMark, drillMark, readMark } from "./diagnosis.ts";
import { awaitedPrices } from "../../catalogue/prices/awaited_price_store.ts";

interface Figured {
  readonly store: Store;
  now(): Date;
  readonly dataDir: string | null;
  readonly tables: Pick<Shared["tables"], "size">;
  readonly pages: Shared["scraper"]["pages"];
}

export function figuresOf(figured: Figured): readonly Figure[] {
  const { store, now, tables, pages } = figured;
  return [
    {
      name: "kurant_market_table_bytes",
      help: "Approximate memory of the market tables of this process",
      read: () => tables.size(),
    },
    {
      name: "kurant_pages_total",
      help: "Pages of shops that were read, by status",
      labels: ["status"],
      read: () => Object.entries(pages),
    },
    ...operationFigures(figured),
    {
      name: "kurant_awaited_prices",
      help:
        "Fetched prices that no import has brought back; at most 10000 of a workspace are counted",
      labels: ["status"],
      read: () => countAwaited(store),
    },
    {
      name: "kurant_resting",
      help:
        "Closed brakes, and held prices by code; at most 10000 of each per workspace are counted",
      labels: ["what"],
      read: () => countResting(store, now()),
    },
    {
      name: "kurant_failing_pages",
      help: "Pages of shops without a price, by cause",
      labels: ["cause"],
      read: () => countFailingPages(store),
    },
  ];
}

async function countAwaited(store: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  await eachWorkspace(store, "kurant_awaited_prices", async (workspace) => {
    for await (const { row: { status } } of awaitedPrices.walk(workspace, { limit: 10_000 })) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  });
  return counts;
}

function operationFigures({ store, dataDir, now }: Figured): readonly Figure[] {
  const ageOf = (atMs: number) => Math.max(0, (now().getTime() - atMs) / 1_000);
  const age = (at: string | undefined) =>
    at === undefined ? [] : [[ageOf(Date.parse(at))] as const];
  return [{
    name: "kurant_job_age_seconds",
    help: "How long the oldest job of a kind has waited beyond its time, or has run",
    labels: ["kind", "status"],
    async read() {
      // Count at most 10,000 queued jobs, because each counted job costs a read.
      const counts = await countJobs(store, 10_000);
      return counts.map(({ kind, status, sinceMs }) => [kind, status, ageOf(sinceMs)] as const);
    },
  }, {
    name: "kurant_backup_age_seconds",
    help: "Age of the last backup that was checked and found good",
    read: async () => age((await readMark(dataDir, backupMark))?.at),
  }, {
    name: "kurant_drill_age_seconds",
    help: "Age of the last restore drill",
    read: async () => age((await readMark(dataDir, drillMark))?.at),
  }, {
    name: "kurant_drill_sound",
    help: "1 if the last restore drill found a good backup, else 0",
    async read() {
      const mark = await readMark(dataDir, drillMark);
      return mark === null ? [] : [[mark.isSound ? 1 : 0] as const];
    },
  }, {
    name: "kurant_audit_seals",
    help: "Seals of the audit log",
    read: () =>
      countInWorkspaces(store, "kurant_audit_seals", async (workspace) => {
        return (await findLastSeal(workspace))?.number ?? 0;
      }),
  }, {
    name: "kurant_audit_unsealed_seconds",
    help: "Age of the oldest audit row without a seal; 0 if all have one",
    async read() {
      let oldest = 0;
      await eachWorkspace(store, "kurant_audit_unsealed_seconds", async (workspace) => {
        oldest = Math.max(oldest, ageOf(await oldestUnsealedMs(workspace) ?? Infinity));
      });
      return oldest;
    },
  }];
}
