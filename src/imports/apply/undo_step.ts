/** One step of an undo job: takes back the next products of the import, or rehearses that. */
import type { Workspace } from "../../accounts/workspace.ts";
import { requireWorkspace } from "../../accounts/workspace_store.ts";
import { findRefusal } from "../../catalogue/changes/personal_price.ts";
import { isRepriced } from "../../catalogue/products/product.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import { findingOf } from "../files/finding.ts";
import {
  type ImportImpact,
  NO_IMPACT,
  NO_UNDO_COUNTS,
  type UndoCounts,
} from "../state/import_figures.ts";
import { addStats, type ImportStats, type UndoCursor, type UndoJob } from "../state/import_job.ts";
import { APPLY_FROM, saveFinding } from "../state/import_row_store.ts";
import type { UndoEntry } from "../state/undo_entry.ts";
import { readUndoCommit } from "../state/undo_store.ts";
import { decideUndo, type Kept, type UndoOutcome, type UndoPlace } from "./decide_undo.ts";
import { addToImpact, type PriceTerms } from "./hold.ts";
import { soldDaysIn } from "./resolve_record.ts";
import { readUndoScene, UndoCommit } from "./undo_scene.ts";

const LOOKED_AT_MAX = 300;

const BEGINNING: UndoCursor = { row: 0, position: 0, counts: NO_UNDO_COUNTS, impact: NO_IMPACT };

/**
 * One commit of an undo: products with all their rows, links, findings, counts, and the place of the
 * job. A concurrent write to one of its shards makes it run again on fresh reads.
 */
export async function undoStep(
  job: UndoJob,
  tools: StepTools<UndoJob>,
): Promise<StepResult<UndoJob>> {
  const cursor = job.cursor ?? BEGINNING;
  const { args } = job;
  const commit = await readUndoCommit(tools, args.undoes, cursor.row);
  if (commit === null) return endUndo(job, cursor);
  const asked = commit.entries.slice(cursor.position, cursor.position + LOOKED_AT_MAX);
  const scene = await readUndoScene(tools, asked);
  const writing = args.isDryRun ? null : new UndoCommit(tools, job);
  const workspace = await requireWorkspace(tools);
  const sum = new UndoSum(job, cursor, workspace);
  let done = 0;
  for (const entry of scene.entries) {
    const place = scene.places.get(entry.productId);
    if (place) {
      const outcome = await outcomeOf(entry, place, job, tools, workspace);
      const isFirst = done === 0;
      if (!isFirst && !hasRoom(writing, tools, place, outcome)) break;
      await writing?.put(place, outcome, scene.competitors);
      for (const [n, kept] of outcome.kept.entries()) {
        noteKept(tools, job, { kept, place, index: sum.counts.entries, n });
      }
      sum.add(place, outcome);
    } else sum.pass();
    done++;
  }
  const written = await writing?.close() ?? null;
  const position = cursor.position + done;
  const isOver = position === commit.entries.length;
  const next = isOver ? { row: commit.nextRow, position: 0 } : { row: cursor.row, position };
  const { generations } = scene;
  return {
    phase: "undo",
    cursor: { ...next, counts: sum.counts, impact: sum.impact },
    stats: sum.stats,
    progress: { processed: sum.counts.entries, total: args.entries },
    checks: (last) => generations.check(tools.write, tools.workspaceId, written, last),
  };
}

async function outcomeOf(
  entry: UndoEntry,
  place: UndoPlace,
  { args, createdBy }: UndoJob,
  tools: StepTools<UndoJob>,
  workspace: Workspace,
): Promise<UndoOutcome> {
  const decide = (keepsPrice: boolean) => decideUndo(entry, place, args, tools.now(), keepsPrice);
  const outcome = decide(false);
  const { after, deed } = outcome;
  const isPriced = deed === "setBack" && after !== null && isRepriced(place.product, after);
  if (createdBy.type !== "user" || !isPriced) return outcome;
  const refusal = await findRefusal(tools, after, args.reason ?? null, workspace);
  return refusal === null ? outcome : decide(true);
}

function hasRoom(
  writing: UndoCommit | null,
  { write }: StepTools<UndoJob>,
  place: UndoPlace,
  outcome: UndoOutcome,
): boolean {
  return writing ? writing.hasRoomFor(place, outcome) : write.fits(REHEARSED);
}

/** A product of which everything stays. */
const REHEARSED = { mutations: 60, keyBytes: 5_000, bytes: 100_000 };

/** All of it is dealt with; or it was kept no longer than until here. */
function endUndo({ args }: UndoJob, { counts }: UndoCursor): StepResult<UndoJob> {
  if (counts.entries === args.entries) return { end: { status: "succeeded" } };
  const message = "What the import did is no longer kept: the rest of it stays";
  return { end: { status: "failed", error: { code: "conflict", message } } };
}

const MESSAGES: Readonly<Record<Kept["code"], string>> = {
  kept_field: "Changed since the import: it stays as it is",
  kept_price: "The price was set again since the import: it stays as it is",
  kept_bound:
    "Beyond what is said of its price, people set it back with a reason, or together: it stays",
  kept_product: "Somebody has worked on the product since the import: it stays as it is",
  kept_link: "The link was changed since the import: it stays as it is",
};

/** The same finding of the same entry lands on the same key, however often a step is repeated. */
function noteKept(
  tools: StepTools<UndoJob>,
  { jobId }: UndoJob,
  { kept: { code, field, value }, place, index, n }: {
    readonly kept: Kept;
    readonly place: UndoPlace;
    readonly index: number;
    readonly n: number;
  },
): void {
  const { sku } = place.product;
  const finding = findingOf("warning", code, MESSAGES[code], { index, sku, field, value });
  saveFinding(tools.write, tools, jobId, finding, APPLY_FROM + n);
}

class UndoSum {
  readonly #isDryRun: boolean;
  readonly #terms: PriceTerms;
  readonly counts: { -readonly [Name in keyof UndoCounts]: number };
  impact: ImportImpact;
  stats: ImportStats;

  constructor({ args, stats }: UndoJob, { counts, impact }: UndoCursor, terms: PriceTerms) {
    this.#isDryRun = args.isDryRun;
    this.#terms = terms;
    this.counts = { ...counts };
    this.impact = impact;
    this.stats = stats;
  }

  pass(): void {
    this.counts.entries++;
    this.stats = addStats(this.stats, { skipped: 1 });
  }

  add({ product }: UndoPlace, { after, deed, links, sales, kept }: UndoOutcome): void {
    const { counts } = this;
    counts.entries++;
    if (deed !== null) counts[deed]++;
    if (after !== null && after.ourPriceUpdatedAt !== product.ourPriceUpdatedAt) counts.prices++;
    counts.links += links.length;
    counts.soldDays += soldDaysIn(sales);
    if (kept.length > 0) counts.kept++;
    this.stats = addStats(this.stats, {
      [deed === null ? "skipped" : "updated"]: 1,
      removed: deed === "deleted" ? 1 : 0,
      warningCount: kept.length,
    });
    if (this.#isDryRun && after !== null && deed !== "deleted") {
      this.impact = addToImpact(this.impact, product, after, this.#terms);
    }
  }
}
