/**
 * Seals new audit rows of each workspace every minute, and verifies an audit log by its seals. A
 * seal contains hashes of audit rows and of the previous seal. The commit that writes a seal also
 * removes the sealed rows from the queue of unsealed rows, so no row is sealed twice. The first
 * seal of a workspace covers no rows. The next seals cover rows that were written before the first
 * seal and not queued, oldest first. All later seals cover rows from the queue.
 */
import { sha256, sha256Hex } from "../../base/bytes.ts";
import { batchesOf } from "../../base/collections.ts";
import { Failure } from "../../base/failure.ts";
import { iso } from "../../base/time.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { StoreTrouble } from "../../platform/store/store_trouble.ts";
import { countInWorkspaces } from "../workspace.ts";
import {
  type AuditPlace,
  type AuditSeal,
  auditSeals,
  entriesIn,
  findLastSeal,
  hashOf,
  placeAt,
  placeHex,
  removeUnsealed,
  sealedLists,
  walkUnsealed,
} from "./audit_seal_store.ts";
import { auditRows } from "./audit_store.ts";

const ROWS_PER_SEAL = 500;
const SEALS_PER_ROUND = 40;
/** Stored in place of a row's hash if the row was deleted before it was sealed. */
const GONE = "0".repeat(64);

export async function sealAuditRows(
  { store, clock }: { readonly store: Store; readonly clock: Pick<ClockAndIds, "now"> },
): Promise<number> {
  return await countInWorkspaces(store, "seals of the audit log", async (workspace) => {
    let count = 0;
    for (let n = 0; n < SEALS_PER_ROUND; n++) {
      const sealed = await sealOnce(workspace, clock.now());
      if (sealed === null) break;
      count += sealed;
    }
    return count;
  });
}

function digestOf(row: object): Uint8Array {
  return sha256(JSON.stringify(row));
}

async function sealOnce(workspace: WorkspaceStore, now: Date): Promise<number | null> {
  return await transact(workspace, async (write) => {
    const before = await findLastSeal(workspace);
    const next = before === null
      ? await beginning(workspace)
      : await oldRows(workspace, before) ?? await newRows(write, workspace);
    if (next === null) return null;
    const { places, old } = next;
    const digests = await digestsAt(workspace, places);
    const bytes = Uint8Array.fromHex(
      places.map((place) => place + (digests.get(place) ?? GONE)).join(""),
    );
    const sealed = {
      number: (before?.number ?? 0) + 1,
      at: now.toISOString(),
      count: places.length,
      first: placeOrNull(places[0]),
      last: placeOrNull(places.at(-1)),
      digest: sha256Hex(bytes),
    };
    const hash = hashOf(workspace, sealed, before?.hash ?? null);
    auditSeals.save(write, workspace, null, { ...sealed, hash, old, expiredAt: null });
    sealedLists.put(write, workspace, { number: sealed.number, bytes });
    return places.length;
  });
}

const placeOrNull = (hex: string | undefined) => hex === undefined ? null : placeAt(hex);

interface NextRows extends Pick<AuditSeal, "old"> {
  readonly places: readonly string[];
}

async function beginning(workspace: WorkspaceStore): Promise<NextRows | null> {
  const [any] = await auditRows.list(workspace, { limit: 1 });
  return any ? { places: [], old: { after: null } } : null;
}

async function oldRows(workspace: WorkspaceStore, { old }: AuditSeal): Promise<NextRows | null> {
  if (old === null) return null;
  const begun = await auditSeals.find(workspace, { number: 1 });
  if (begun === null) throw new Error("The first seal of the audit log is gone");
  const queued = new Set<string>();
  for await (const { version, places } of walkUnsealed(workspace)) {
    if (version > begun.versionstamp) break;
    for (const place of places) queued.add(place);
  }
  const places: string[] = [];
  for await (const { row, versionstamp } of auditRows.walk(workspace, { after: old.after })) {
    const place = placeHex(row);
    if (versionstamp > begun.versionstamp || queued.has(place)) continue;
    if (places.push(place) === ROWS_PER_SEAL) break;
  }
  return places.length === 0 ? null : { places, old: { after: placeOrNull(places.at(-1)) } };
}

async function newRows(write: Write, workspace: WorkspaceStore): Promise<NextRows | null> {
  const places: string[] = [];
  for await (const { version, places: more } of walkUnsealed(workspace, ROWS_PER_SEAL)) {
    if (places.length > 0 && places.length + more.length > ROWS_PER_SEAL) break;
    places.push(...more);
    removeUnsealed(write, workspace.workspaceId, version);
  }
  return places.length === 0 ? null : { places, old: null };
}

async function digestsAt(
  workspace: WorkspaceStore,
  places: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  const least = places.reduce((one, other) => one < other ? one : other, "z");
  if (least === "z") return digests;
  const range = { after: { atMs: placeAt(least).atMs - 1 }, limit: places.length };
  const wanted = new Set(places);
  for await (const { row } of auditRows.walk(workspace, range)) {
    const place = placeHex(row);
    if (wanted.delete(place)) digests.set(place, digestOf(row).toHex());
  }
  for (const found of await auditRows.getMany(workspace, [...wanted].map(placeAt))) {
    if (found) digests.set(placeHex(found.row), digestOf(found.row).toHex());
  }
  return digests;
}

/** Small, because a commit also deletes several index rows of each audit row. */
const ROWS_PER_COMMIT = 40;

/**
 * Deletes audit rows that were sealed before `before`. Uses the time of the seal, because a row's
 * own time may be wrong. Keeps the seals, because their chain must stay complete.
 */
export async function expireAuditRows(store: Store, before: Date, now: Date): Promise<number> {
  return await countInWorkspaces(store, "old audit rows", async (workspace) => {
    let count = 0;
    for await (const { row: { number, bytes } } of sealedLists.walk(workspace)) {
      const seal = await auditSeals.find(workspace, { number });
      if (seal === null || seal.row.at >= before.toISOString()) break;
      const places = entriesIn(bytes).map(({ hex }) => placeAt(hex));
      if (places.length > 0) await expire(workspace, number, places, now);
      count += places.length;
    }
    return count;
  });
}

/** Marks the seal as expired first, so that `verifyAudit` does not report the deleted rows. */
async function expire(
  workspace: WorkspaceStore,
  number: number,
  places: readonly AuditPlace[],
  now: Date,
): Promise<void> {
  await transact(workspace, async (write) => {
    const found = await auditSeals.find(workspace, { number });
    if (found === null || found.row.expiredAt !== null) return;
    auditSeals.save(write, workspace, found, { ...found.row, expiredAt: now.toISOString() });
  });
  for await (const batch of batchesOf(places, ROWS_PER_COMMIT)) {
    await transact(workspace, async (write) => {
      for (const found of await auditRows.getMany(workspace, batch)) {
        if (found) auditRows.drop(write, workspace, found.row);
      }
    });
  }
  await transact(workspace, (write) => {
    sealedLists.drop(write, workspace, { number });
  });
}

export type AuditVerdict = Awaited<ReturnType<typeof verifyAudit>>;

/**
 * Finds broken links in the chain of seals, and changed, missing or inserted rows. Reads the queue
 * of unsealed rows before the seals, so that it does not miss a row that is sealed in between.
 * `expectedAt` in the result is the number of the seal whose hash is `expected`, or null.
 */
export async function verifyAudit(workspace: WorkspaceStore, expected: string | null = null) {
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
    findings.push(...await Array.fromAsync(listFindings(workspace, seal, rows)));
    head = seal;
    counts.seals++;
  }
  if (head !== null) {
    findings.push(...await Array.fromAsync(otherRows(workspace, rows, { queued, head })));
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
  const list = (await sealedLists.find(workspace, { number }))?.row.bytes ?? new Uint8Array();
  // The list of hashes was deleted together with the expired rows.
  if (list.length === 0 && expiredAt !== null) return;
  if (sha256Hex(list) !== digest) yield `The list of audit seal ${number} of ${at} was changed`;
  for (const { hex, digest: sealed } of entriesIn(list)) {
    const place = placeAt(hex);
    const found = digests.get(hex) ?? await readDigest(workspace, place);
    digests.delete(hex);
    const name = `Audit row ${place.id} of ${iso(place.atMs)}`;
    if (found === "unreadable") {
      yield `${name} was changed after seal ${number}: it cannot be read`;
    } else if (found !== null && found !== sealed) {
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
    // This row may not be sealed yet: rows older than the first seal are sealed in batches.
    const waits = head.old && hex > (head.old.after ? placeHex(head.old.after) : "");
    if (queued.has(hex) || waits) continue;
    // The audit row may have expired since all rows were read.
    const found = await auditRows.find(workspace, place);
    if (found === null) continue;
    const { action, actor } = found.row;
    yield `Audit row ${place.id} of ${iso(place.atMs)} (${action}, ${actor.name}) is in no seal: ` +
      "it was inserted, or its seal was removed";
  }
}

type ReadRows = Awaited<ReturnType<typeof readRows>>;

async function readRows(workspace: WorkspaceStore) {
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
    strays.push("Not all rows without a seal were searched for, because a row cannot be read");
  }
  return { digests, strays };
}

async function readDigest(workspace: WorkspaceStore, place: AuditPlace) {
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
