/**
 * Keys: `jf W jobId severity index n` → finding; `severity` 0 error, 1 warning; `index` of the
 * record, -1 for a file; `n` counts within the record, from 1,000 on for what applying it found.
 */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { keyOfJob, remover } from "../job_rows.ts";
import type { Finding } from "./finding.ts";

const SEVERITIES = ["error", "warning"] as const;
/** Below: found by the check; from here on: found while applying. */
export const APPLY_FROM = 1_000;

/** A place in the list: severity, index and n of the last finding that was told. */
export type FindingPlace = readonly [severity: number, index: number, n: number];

export interface StoredFinding {
  readonly finding: Finding;
  readonly place: FindingPlace;
}

/** The same finding of the same record lands on the same key, however often a step is repeated. */
export function saveFinding(
  write: Write,
  workspaceId: string,
  jobId: string,
  finding: Finding,
  n: number,
): void {
  const severity = SEVERITIES.indexOf(finding.severity);
  write.set([...keyOfJob("jf", workspaceId, jobId), severity, finding.index ?? -1, n], finding);
}

/** Errors before warnings, each in the order of the records; of one severity, or (null) of both. */
export async function listFindings(
  { store, workspaceId }: WorkspaceStore,
  jobId: string,
  { severity, after, limit }: {
    readonly severity: Finding["severity"] | null;
    readonly after: FindingPlace | null;
    readonly limit: number;
  },
): Promise<StoredFinding[]> {
  const all = keyOfJob("jf", workspaceId, jobId);
  const prefix = severity === null ? all : [...all, SEVERITIES.indexOf(severity)];
  // `true` sorts behind every number: the first row that is not the one named.
  const selector = after === null ? { prefix } : { prefix, start: [...all, ...after, true] };
  const found: StoredFinding[] = [];
  const options = { limit, batchSize: Math.min(limit, 1_000) };
  for await (const { key, value } of store.kv.list<Finding>(selector, options)) {
    const [at, index, n] = key.slice(3).map(Number);
    found.push({ finding: value, place: [at ?? 0, index ?? 0, n ?? 0] });
  }
  return found;
}

/** Takes findings of a job away. */
export const removeFindings = remover("jf");
