/**
 * Keys: `sm W jobId "rule" n` → part of the simulated rule; `sm W jobId "out" step n` → outcomes of
 * a step. Both are JSON bytes and are deleted with the job, a day after its creation.
 */
import { decoder, encoder, joinedBytes, PART_BYTES, partsOf } from "../../base/bytes.ts";
import { utf8Bytes } from "../../base/text.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { idIn, idKey, removeInBatches } from "../../platform/store/rows.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import type { JudgedRule } from "../../engine/pricing/compile_rule.ts";
import { SimulatedOutcome } from "../../engine/pricing/simulation.ts";

const ROWS_PER_COMMIT = 200;

interface SimulatedTerms {
  readonly rule: JudgedRule;
  readonly stored: JudgedRule | null;
}

const ofJob = (workspaceId: string, jobId: string) => idKey("sm", workspaceId, jobId);

export function putTerms(
  write: Write,
  workspaceId: string,
  jobId: string,
  terms: SimulatedTerms,
): void {
  for (const [n, bytes] of partsOf(encoder.encode(JSON.stringify(terms))).entries()) {
    write.set([...ofJob(workspaceId, jobId), "rule", n], bytes);
  }
}

export async function findTerms(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<SimulatedTerms | null> {
  const prefix = [...ofJob(workspaceId, jobId), "rule"];
  const rows = await Array.fromAsync(store.kv.list<Uint8Array>({ prefix }));
  if (rows.length === 0) return null;
  const terms: SimulatedTerms = JSON.parse(
    decoder.decode(joinedBytes(rows.map((row) => row.value))),
  );
  return terms;
}

const FIELDS = SimulatedOutcome.keyof().options;

export function outcomeBytes({ sku }: Pick<SimulatedOutcome, "sku">): number {
  // 180 bytes are enough for the other fields: an id, two codes, a currency and five figures.
  return 180 + utf8Bytes(JSON.stringify(sku));
}

export function putOutcomes(
  write: Write,
  workspaceId: string,
  jobId: string,
  step: number,
  outcomes: readonly SimulatedOutcome[],
): void {
  let part = 0;
  let rows: unknown[][] = [];
  let bytes = 0;
  const close = () => {
    if (rows.length === 0) return;
    const key = [...ofJob(workspaceId, jobId), "out", step, part++];
    write.set(key, encoder.encode(JSON.stringify(rows)));
    [rows, bytes] = [[], 0];
  };
  for (const one of outcomes) {
    if (bytes + outcomeBytes(one) > PART_BYTES) close();
    bytes += outcomeBytes(one);
    rows.push(FIELDS.map((name) => one[name]));
  }
  close();
}

export async function listOutcomes(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
): Promise<SimulatedOutcome[]> {
  const prefix = [...ofJob(workspaceId, jobId), "out"];
  const outcomes: SimulatedOutcome[] = [];
  for await (const { value } of store.kv.list<Uint8Array>({ prefix }, { batchSize: 100 })) {
    const rows: unknown[][] = JSON.parse(decoder.decode(value));
    for (const row of rows) {
      outcomes.push(Object(Object.fromEntries(FIELDS.map((name, at) => [name, row[at] ?? null]))));
    }
  }
  return outcomes;
}

export async function removeSimulation(store: Store, { workspaceId, jobId }: Job): Promise<void> {
  const rows = store.kv.list({ prefix: ofJob(workspaceId, jobId) });
  await removeInBatches(store, rows, ROWS_PER_COMMIT, (write, { key }) => write.delete(key));
}

export async function* walkSimulations(
  { store, workspaceId }: WorkspaceStore,
): AsyncGenerator<string> {
  let last = "";
  const prefix = idKey("sm", workspaceId);
  for await (const { key } of store.kv.list({ prefix }, { batchSize: 100 })) {
    const id = idIn(key, 2);
    if (id !== last) yield id;
    last = id;
  }
}
