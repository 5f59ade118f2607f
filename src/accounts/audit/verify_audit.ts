/**
 * Verifies an audit log with its seals. A seal contains hashes of audit rows and of the previous
 * seal. The seals must form a chain, sealed rows must be unchanged, and the log must not contain
 * inserted rows. The check reads rows first, then the queue of unsealed rows, then the seals, so
 * that it also finds a row that is sealed during the check.
 */
import { sha256Hex } from "../../base/bytes.ts";
import { iso } from "../../base/time.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { StoreTrouble } from "../../platform/store/store_trouble.ts";
import { Failure } from "../../base/failure.ts";
import {
  type AuditPlace,
  type AuditSeal,
  auditSeals,
  ENTRY_BYTES,
  hashOf,
  placeAt,
  placeHex,
  placeOf,
  readSealedList,
  walkUnsealed,
} from "./audit_seal_store.ts";
import { auditRows } from "./audit_store.ts";
import { digestOf } from "./seal_audit.ts";

export interface AuditVerdict {
  readonly findings: readonly string[];
  readonly seals: number;
  readonly head: AuditSeal | null;
  readonly sealed: number;
  readonly unsealed: number;
  readonly expired: number;
  readonly expectedAt: number | null;
}

/** `expected` is the hash of an earlier seal, which the chain of seals must still contain. */
export async function verifyAudit(
  workspace: WorkspaceStore,
  expected: string | null = null,
): Promise<AuditVerdict> {
  const rows = await readRows(workspace);
  const queued = new Set<string>();
  for await (const { places } of walkUnsealed(workspace)) {
    for (const place of places) queued.add(place);
  }
  const findings: string[] = [];
  const counts = { seals: 0, sealed: 0, expired: 0 };
  let head: AuditSeal | null = null;
  let expectedAt: number | null = null;
  for await (const { row: seal } of auditSeals.walk(workspace)) {
    findings.push(...chainFindings(workspace, head, seal));
    if (seal.hash === expected) expectedAt = seal.number;
    if (seal.expiredAt === null) counts.sealed += seal.count;
    else counts.expired += seal.count;
    for await (const finding of listFindings(workspace, seal, rows)) findings.push(finding);
    head = seal;
    counts.seals++;
  }
  if (head !== null) {
    for await (const finding of otherRows(workspace, rows, { queued, head })) {
      findings.push(finding);
    }
  }
  return { findings, ...counts, head, unsealed: queued.size, expectedAt };
}

function* chainFindings(
  workspace: WorkspaceStore,
  before: AuditSeal | null,
  seal: AuditSeal,
): Generator<string> {
  const { number, at, hash } = seal;
  const next = (before?.number ?? 0) + 1;
  if (number !== next) yield `Audit seal ${next} is missing: seal ${number} of ${at} follows`;
  else if (hash !== hashOf(workspace, seal, before?.hash ?? null)) {
    yield `Audit seal ${number} of ${at} was changed`;
  }
}

async function* listFindings(
  workspace: WorkspaceStore,
  { number, at, digest, expiredAt }: AuditSeal,
  { digests }: ReadRows,
): AsyncGenerator<string> {
  const list = await readSealedList(workspace, number);
  if (list.length === 0 && expiredAt !== null) return;
  if (sha256Hex(list) !== digest) yield `The list of audit seal ${number} of ${at} was changed`;
  for (let from = 0; from + ENTRY_BYTES <= list.length; from += ENTRY_BYTES) {
    const entry = list.subarray(from, from + ENTRY_BYTES);
    const place = placeOf(entry);
    const hex = placeHex(place);
    const found = digests.get(hex) ?? await readDigest(workspace, place);
    digests.delete(hex);
    const name = `Audit row ${place.id} of ${iso(place.atMs)}`;
    if (found === "unreadable") {
      yield `${name} was changed after seal ${number}: it cannot be read`;
    } else if (found !== null && found !== entry.subarray(PLACE_END).toHex()) {
      yield `${name} was changed after seal ${number}`;
    } else if (found === null && !await isExpired(workspace, number)) {
      yield `${name} is missing: seal ${number} contains it`;
    }
  }
}

async function* otherRows(
  workspace: WorkspaceStore,
  { digests, strays }: ReadRows,
  { queued, head }: { readonly queued: ReadonlySet<string>; readonly head: AuditSeal },
): AsyncGenerator<string> {
  yield* strays;
  for (const hex of digests.keys()) {
    const place = placeAt(hex);
    // A row from before the first seal may not be sealed yet.
    const waits = head.old && hex > (head.old.after ? placeHex(head.old.after) : "");
    if (queued.has(hex) || waits) continue;
    // The row may have expired during the check.
    const found = await auditRows.find(workspace, place);
    if (found === null) continue;
    const { action, actor } = found.row;
    yield `Audit row ${place.id} of ${iso(place.atMs)} (${action}, ${actor.name}) is in no seal: ` +
      "it was inserted, or its seal was removed";
  }
}

interface ReadRows {
  readonly digests: Map<string, string>;
  readonly strays: readonly string[];
}

async function readRows(workspace: WorkspaceStore): Promise<ReadRows> {
  const digests = new Map<string, string>();
  const strays: string[] = [];
  let last = "";
  try {
    for await (const { row } of auditRows.walk(workspace)) {
      const place = placeHex(row);
      if (place <= last) strays.push(`Audit row ${row.id} is stored under the key of another row`);
      else {
        digests.set(place, digestOf(row).toHex());
        last = place;
      }
    }
  } catch (error) {
    requireUnreadable(error);
    strays.push("Rows that no seal contains were not all looked for, as a row cannot be read");
  }
  return { digests, strays };
}

async function readDigest(
  workspace: WorkspaceStore,
  place: AuditPlace,
): Promise<string | "unreadable" | null> {
  try {
    const found = await auditRows.find(workspace, place);
    return found && digestOf(found.row).toHex();
  } catch (error) {
    requireUnreadable(error);
    return "unreadable";
  }
}

function requireUnreadable(error: unknown): void {
  if (error instanceof StoreTrouble || error instanceof Failure) throw error;
}

async function isExpired(workspace: WorkspaceStore, number: number): Promise<boolean> {
  const found = await auditSeals.find(workspace, { number });
  return found !== null && found.row.expiredAt !== null;
}

const PLACE_END = ENTRY_BYTES - 32;
