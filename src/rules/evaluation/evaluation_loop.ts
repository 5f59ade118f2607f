/**
 * Evaluates the products in the evaluation queue. A row of the queue names one or more products.
 * If many products wait, a pass over the catalogue first finds products that need no evaluation.
 */
import { countActiveProducts } from "../../catalogue/products/change_log_store.ts";
import { type DirtyProducts, dirtyQueue } from "../../platform/events/outbox_store.ts";
import { type LoopSetup, WorkLoop } from "../../platform/jobs/work_loop.ts";
import type { roomLog } from "../../platform/log.ts";
import { COMMIT_MAX, transact } from "../../platform/store/kv.ts";
import { walkDue, WalkPosition } from "../../platform/store/row_queue_store.ts";
import {
  askedBy,
  type DirtyRow,
  evaluateDirty,
  type EvaluationSetup,
  isVain,
  rulesFor,
} from "./evaluate_dirty.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { isIdle, rulesOf } from "./judge.ts";
import { streamProducts } from "./product_stream.ts";
import { readSurroundings } from "../proposals/priced_product.ts";

const BACKOFF_MS_MAX = 10 * 60_000;

interface EvaluationRounds extends EvaluationSetup {
  readonly log: ReturnType<typeof roomLog>;
  readonly position: WalkPosition;
}

export async function evaluateDue(setup: EvaluationRounds, stopping?: AbortSignal): Promise<void> {
  const { store, clock, position, log } = setup;
  // A queue row is delayed only after a failure. If a row without a failure is due in the future,
  // the clock was set back.
  const backoffMsMax = ({ failures }: DirtyProducts) => failures === undefined ? 0 : BACKOFF_MS_MAX;
  const walk = { store, position, now: () => clock.now(), backoffMsMax };
  const sieve = new BacklogSieve(setup);
  for await (const row of walkDue(dirtyQueue, walk)) {
    if (stopping?.aborted) return;
    try {
      await evaluateDirty(setup, row, await sieve.busyOf(row));
    } catch (error) {
      log.error("products could not be judged", {
        workspaceId: row.partition[0],
        rowId: row.id,
        error,
      });
      await setAside(setup, row);
    }
  }
}

async function setAside({ store, clock }: EvaluationSetup, row: DirtyRow): Promise<void> {
  await transact({ store }, async (write) => {
    const found = await dirtyQueue.findAgain(store, row);
    if (!found) return;
    const { partition, dueMs, value } = found;
    const left = value.productIds.slice(value.from);
    if (left.length <= 1) {
      const failures = (value.failures ?? 0) + 1;
      const backoffMs = Math.min(BACKOFF_MS_MAX, 5_000 * 2 ** failures);
      const laterMs = clock.now().getTime() + backoffMs;
      return dirtyQueue.move(write, found, laterMs, { ...value, failures });
    }
    dirtyQueue.take(write, found);
    for (const id of left) {
      const alone = { ...value, productIds: [id], from: 0 };
      dirtyQueue.add(write, { partition, id: clock.newId(), dueMs, value: alone });
    }
  });
}

export function createEvaluationLoop(
  setup: Omit<EvaluationRounds, "position"> & Pick<LoopSetup, "sweepMs" | "pauseMinMs">,
): WorkLoop {
  const position = new WalkPosition();
  return new WorkLoop({
    name: "evaluation",
    sweepMs: setup.sweepMs,
    pauseMinMs: setup.pauseMinMs,
    log: setup.log,
    async round(stopping) {
      await evaluateDue({ ...setup, position }, stopping);
      return null;
    },
  });
}

const READ_PER_EVALUATION = 6;
const ROWS_MAX = 2_000;
const ROWS_PER_COMMIT = COMMIT_MAX.checks - 1;

class BacklogSieve {
  readonly #setup: EvaluationSetup;
  /** The products to evaluate of each queue row; null stands for all products of the row. */
  readonly #busy = new Map<string, ReadonlySet<string> | null>();

  constructor(setup: EvaluationSetup) {
    this.#setup = setup;
  }

  async busyOf(row: DirtyRow): Promise<ReadonlySet<string> | null> {
    if (!this.#busy.has(keyOf(row))) await this.#sift(row);
    const busy = this.#busy.get(keyOf(row)) ?? null;
    this.#busy.delete(keyOf(row));
    return busy;
  }

  async #sift({ partition: [workspaceId = ""], value }: DirtyRow): Promise<void> {
    const workspace = { store: this.#setup.store, workspaceId };
    const rows = await this.#waitingRows(workspace, value);
    const idle = await findIdle(this.#setup, workspace, rows);
    const idleRows: DirtyRow[] = [];
    for (const row of rows) {
      const busy = idle && new Set(row.value.productIds).difference(idle);
      if (busy?.size === 0) idleRows.push(row);
      else this.#busy.set(keyOf(row), busy);
    }
    await takeRows(this.#setup, idleRows);
  }

  async #waitingRows({ store, workspaceId }: WorkspaceStore, asked: DirtyProducts) {
    const rows: DirtyRow[] = [];
    for await (const row of dirtyQueue.list(store, [workspaceId])) {
      if (askedBy(row.value) !== askedBy(asked)) continue;
      if (this.#busy.has(keyOf(row))) continue;
      if (rows.push(row) === ROWS_MAX) break;
    }
    return rows;
  }
}

function keyOf({ partition, id }: DirtyRow): string {
  return [...partition, id].join(" ");
}

/**
 * Finds queued products whose evaluation would change nothing. Returns null if evaluating all
 * queued products is faster.
 */
async function findIdle(
  setup: EvaluationSetup,
  workspace: WorkspaceStore,
  rows: readonly DirtyRow[],
): Promise<ReadonlySet<string> | null> {
  const asked = rows[0]?.value ?? { cause: "write", ref: null };
  const rules = rulesFor(await setup.ruleCache.rulesOf(workspace), asked);
  const wanted = new Set(rows.flatMap(({ value }) => value.productIds));
  if (await isVain(workspace, rules.compiled)) return wanted;
  const evaluations = rows.reduce((sum, { value }) => sum + value.productIds.length, 0);
  if (evaluations < 1_000) return null;
  if (await countActiveProducts(workspace) > READ_PER_EVALUATION * evaluations) return null;
  const idle = new Set<string>();
  const surroundings = await readSurroundings(workspace);
  const nowMs = setup.clock.now().getTime();
  // An import may have replaced a rule's price, so each product about which a rule remembers
  // something (`history.rules`) is evaluated again.
  const isImport = rows.some(({ value }) => value.cause === "import");
  const { ask } = rulesOf(rules);
  const request = { surroundings, nowMs, wanted };
  for await (const { situation, hasOpenProposal } of streamProducts(workspace, request)) {
    const isReverted = isImport && Object.keys(situation.history.rules).length > 0;
    if (!hasOpenProposal && !isReverted && isIdle(ask(situation))) idle.add(situation.product.id);
  }
  return idle;
}

async function takeRows(setup: EvaluationSetup, rows: readonly DirtyRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_PER_COMMIT) {
    await transact(setup, async (write) => {
      for (const row of rows.slice(at, at + ROWS_PER_COMMIT)) {
        const found = await dirtyQueue.findAgain(setup.store, row);
        if (found) dirtyQueue.take(write, found);
      }
    });
  }
}
