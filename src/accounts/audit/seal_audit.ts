/**
 * Seals the audit rows of each workspace every minute. A seal contains hashes of the rows and of
 * the previous seal. One commit writes a seal and takes its rows from the queue of unsealed rows,
 * so each row is in one seal. The first seal of a workspace contains no rows. If the audit log has
 * rows from before the first seal, the next seals contain these rows, oldest first.
 */
import { sha256, sha256Hex } from "../../base/bytes.ts";
import { batchesOf } from "../../base/collections.ts";
import type { ClockAndIds, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { countInWorkspaces } from "../workspace_store.ts";
import {
  type AuditPlace,
  type AuditSeal,
  auditSeals,
  ENTRY_BYTES,
  findLastSeal,
  hashOf,
  placeAt,
  placeHex,
  placeOf,
  removeUnsealed,
  sealedLists,
  walkUnsealed,
} from "./audit_seal_store.ts";
import { auditRows } from "./audit_store.ts";

const ROWS_PER_SEAL = 500;
const SEALS_PER_ROUND = 40;
/** Replaces the hash of a row that disappeared before it was sealed. */
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

export function digestOf(row: object): Uint8Array {
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

/** A commit deletes few audit rows, because it also deletes about ten index rows per audit row. */
const ROWS_PER_COMMIT = 40;

/**
 * Deletes the rows of old seals, but not the seals, whose chain must stay complete. Rows expire by
 * the time of their seal, because the time of a row may be wrong.
 */
export async function expireAuditRows(store: Store, before: Date, now: Date): Promise<number> {
  return await countInWorkspaces(store, "old audit rows", async (workspace) => {
    let count = 0;
    for await (const { row: { number, bytes } } of sealedLists.walk(workspace)) {
      const seal = await auditSeals.find(workspace, { number });
      if (seal === null || seal.row.at >= before.toISOString()) break;
      const places = placesIn(bytes);
      if (places.length > 0) await expire(workspace, number, places, now);
      count += places.length;
    }
    return count;
  });
}

function placesIn(list: Uint8Array): AuditPlace[] {
  const places: AuditPlace[] = [];
  for (let at = 0; at < list.length; at += ENTRY_BYTES) places.push(placeOf(list.subarray(at)));
  return places;
}

/** First marks the seal as expired, so that `verifyAudit` does not report the deleted rows. */
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
