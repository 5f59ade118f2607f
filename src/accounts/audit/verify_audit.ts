/**
 * Verifies that the seals of an audit log form a chain, that the sealed rows are unchanged, and
 * that there are no other rows. Rows are read first, then the queue of unsealed rows, then the
 * seals, so that no row seems unsealed when another process seals it meanwhile.
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
  placeHex,
  placeOf,
  readSealedList,
  walkUnsealed,
} from "./audit_seal_store.ts";
import { auditRows } from "./audit_store.ts";
import { digestOf } from "./seal_audit.ts";
import { Buffer } from "node:buffer";

export interface AuditVerdict {
  /** One sentence per finding, first about seals and their rows, then about rows in no seal. */
  readonly findings: readonly string[];
  readonly seals: number;
  readonly head: AuditSeal | null;
  readonly sealed: number;
  readonly unsealed: number;
  readonly expired: number;
  /** Number of the seal that has the expected hash; null if no seal has it. */
  readonly expectedAt: number | null;
}

/** `expected` is a hash that was kept outside the store. */
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
  rows: ReadRows,
): AsyncGenerator<string> {
  const list = await readSealedList(workspace, number);
  if (list.length === 0 && expiredAt !== null) return;
  if (sha256Hex(list) !== digest) yield `The list of audit seal ${number} of ${at} was changed`;
  for (let from = 0; from + ENTRY_BYTES <= list.length; from += ENTRY_BYTES) {
    const entry = list.subarray(from, from + ENTRY_BYTES);
    const place = placeOf(entry);
    const found = rows.take(entry) ?? await readEntry(workspace, place);
    const name = `Audit row ${place.id} of ${iso(place.atMs)}`;
    if (found === "unreadable") {
      yield `${name} was changed after seal ${number}: it cannot be read`;
    } else if (
      found !== null && Buffer.compare(entry.subarray(PLACE_END), found.subarray(PLACE_END)) !== 0
    ) {
      yield `${name} was changed after seal ${number}`;
    } else if (found === null && !await isExpired(workspace, number)) {
      yield `${name} is missing: seal ${number} contains it`;
    }
  }
}

/** Reports rows that are in no seal and do not wait for a seal. */
async function* otherRows(
  workspace: WorkspaceStore,
  rows: ReadRows,
  { queued, head }: { readonly queued: ReadonlySet<string>; readonly head: AuditSeal },
): AsyncGenerator<string> {
  yield* rows.strays;
  for (const entry of rows.rest()) {
    const place = placeOf(entry);
    const hex = placeHex(place);
    // Rows from before the first seal wait for a later seal.
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

/** Sorted by place. Each row is encoded like an entry of a seal's list. */
class ReadRows {
  /** Findings about rows that are stored under the key of another row. */
  readonly strays: string[] = [];
  #bytes = new Uint8Array(1_000 * ENTRY_BYTES);
  #count = 0;
  #taken = new Uint8Array();

  add(row: AuditPlace): void {
    const entry = entryOf(row);
    const last = this.#count === 0 ? null : this.#at(this.#count - 1);
    if (last && comparePlaces(last, entry) >= 0) {
      this.strays.push(`Audit row ${row.id} is stored under the key of another row`);
      return;
    }
    const end = (this.#count + 1) * ENTRY_BYTES;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#bytes.length);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(entry, end - ENTRY_BYTES);
    this.#count++;
  }

  take(entry: Uint8Array): Uint8Array | null {
    if (this.#taken.length === 0) this.#taken = new Uint8Array(this.#count);
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comparePlaces(this.#at(middle), entry) < 0) low = middle + 1;
      else high = middle;
    }
    const isFound = low < this.#count && comparePlaces(this.#at(low), entry) === 0;
    if (!isFound) return null;
    this.#taken[low] = 1;
    return this.#at(low);
  }

  *rest(): Generator<Uint8Array> {
    for (let n = 0; n < this.#count; n++) if (!this.#taken[n]) yield this.#at(n);
  }

  #at(n: number): Uint8Array {
    return this.#bytes.subarray(n * ENTRY_BYTES, (n + 1) * ENTRY_BYTES);
  }
}

/** Reads the rows up to the first row that cannot be read. `readEntry` reads the others. */
async function readRows(workspace: WorkspaceStore): Promise<ReadRows> {
  const rows = new ReadRows();
  try {
    for await (const { row } of auditRows.walk(workspace)) rows.add(row);
  } catch (error) {
    requireUnreadable(error);
    rows.strays.push("Rows that no seal contains were not all looked for, as a row cannot be read");
  }
  return rows;
}

async function readEntry(
  workspace: WorkspaceStore,
  place: AuditPlace,
): Promise<Uint8Array | "unreadable" | null> {
  try {
    const found = await auditRows.find(workspace, place);
    return found && entryOf(found.row);
  } catch (error) {
    requireUnreadable(error);
    return "unreadable";
  }
}

/** Rethrows errors of the store, which do not show that a row was changed. */
function requireUnreadable(error: unknown): void {
  if (error instanceof StoreTrouble || error instanceof Failure) throw error;
}

async function isExpired(workspace: WorkspaceStore, number: number): Promise<boolean> {
  const found = await auditSeals.find(workspace, { number });
  return found !== null && found.row.expiredAt !== null;
}

function entryOf(row: AuditPlace): Uint8Array {
  return Uint8Array.fromHex(placeHex(row) + digestOf(row).toHex());
}

const PLACE_END = ENTRY_BYTES - 32;

function comparePlaces(one: Uint8Array, other: Uint8Array): number {
  return Buffer.compare(one.subarray(0, PLACE_END), other.subarray(0, PLACE_END));
}
