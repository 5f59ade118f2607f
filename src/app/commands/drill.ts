/**
 * `drill`: restores the newest backup into a folder of its own, checks it, compares it with the
 * running store, and leaves the result for `doctor` and `/metrics`.
 */
import { auditSeals, findLastSeal } from "../../accounts/audit/audit_seal_store.ts";
import { listWorkspaces } from "../../accounts/workspace_store.ts";
import { Failure } from "../../base/failure.ts";
import { bringToLayout } from "../../platform/store/file_layout.ts";
import type { Store } from "../../platform/store/kv.ts";
import { openStoreFile, storeFile } from "../../platform/store/open_store.ts";
import { openFileToRead, requireSoundFile } from "../../platform/store/store_file.ts";
import { type Config, readConfig } from "../composition/config.ts";
import { drillMark, writeMark } from "../composition/operation_marks.ts";
import { BUSY_MS, copyResting, judgeCopy, requireStoreFile } from "./backup.ts";
import { withTools } from "./store_access.ts";
import { print, printError } from "./terminal.ts";

const PREFIX = ".kurant-drill-";

/** Returns true if the newest backup is good. Without `folder`, backups are in `BACKUP_DIR`. */
export async function drill(folder: string | undefined): Promise<boolean> {
  const config = readConfig();
  requireStoreFile(config, "drill");
  const from = folder ?? config.BACKUP_DIR ?? config.DATA_DIR;
  const began = performance.now();
  const path = await newestBackup(from, config);
  const findings = path === null
    ? [`There is no backup (*.db) in "${from}"`]
    : await restoreBeside(path, config);
  const isSound = findings.length === 0;
  const seconds = Math.round(performance.now() - began) / 1_000;
  const at = new Date().toISOString();
  await writeMark(config.DATA_DIR, drillMark, { at, path, isSound, seconds, findings });
  for (const finding of findings) printError(`error: ${finding}`);
  if (path !== null) print(`${path}: ${isSound ? "restored and good" : "not good"}, ${seconds} s`);
  return isSound;
}

/** The youngest file `*.db` of the folder that is no running store; null if there is none. */
async function newestBackup(folder: string, { DATA_DIR }: Config): Promise<string | null> {
  const running = await Deno.realPath(storeFile(DATA_DIR).kvPath).catch(() => null);
  let newest: { readonly path: string; readonly atMs: number } | null = null;
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile || name.startsWith(".") || !name.endsWith(".db")) continue;
    const path = await Deno.realPath(`${folder}/${name}`);
    const atMs = (await Deno.stat(path)).mtime?.getTime() ?? 0;
    if (path !== running && atMs >= (newest?.atMs ?? 0)) newest = { path, atMs };
  }
  return newest?.path ?? null;
}

/** Lists the faults of a backup; the folder of the restored store is removed in any case. */
async function restoreBeside(path: string, config: Config): Promise<string[]> {
  await sweepDrills(config.DATA_DIR);
  const folder = await Deno.makeTempDir({ dir: config.DATA_DIR, prefix: PREFIX });
  const copy = storeFile(folder).kvPath;
  try {
    await copyResting(path, copy);
    await requireSoundFile(copy);
    await bringToLayout(copy, BUSY_MS);
    const { isSound, words, first } = await judgeCopy(copy, { check: true }, config);
    if (!isSound) return [`${words}, the first: ${first}`];
    return await differences(copy, config);
  } catch (error) {
    if (error instanceof Failure) return [error.message.replaceAll(copy, path)];
    return [`"${path}" cannot be checked: ${error}`];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Removes what killed drills have left. */
async function sweepDrills(dataDir: string): Promise<void> {
  for await (const { name } of Deno.readDir(dataDir)) {
    if (name.startsWith(PREFIX)) await Deno.remove(`${dataDir}/${name}`, { recursive: true });
  }
}

async function differences(copy: string, { DATA_DIR, SECRET_KEY }: Config): Promise<string[]> {
  const [rows, running] = [copy, storeFile(DATA_DIR).kvPath].map(countRows);
  print(`${rows} rows, the running store has ${running}`);
  // A backup with fewer rows than this share of the running store is of another store, or a torn
  // one.
  if (Number(rows) < 0.5 * Number(running)) {
    return [`It has ${rows} rows, the running store ${running}`];
  }
  const backup = await openStoreFile(copy, BUSY_MS, null, SECRET_KEY ?? []);
  try {
    return await withTools(({ store }) => strangeSeals(backup, store));
  } finally {
    backup.kv.close();
  }
}

function countRows(path: string): number {
  using file = openFileToRead(path);
  return Number(file.prepare("SELECT count(*) AS n FROM kv").get()?.n);
}

/** The newest seal of each workspace must be a seal of the running store, too. */
async function strangeSeals(backup: Store, running: Store): Promise<string[]> {
  const findings: string[] = [];
  const known = new Set((await listWorkspaces(running)).map(({ id }) => id));
  for (const { id: workspaceId, name } of await listWorkspaces(backup)) {
    const last = await findLastSeal({ store: backup, workspaceId });
    // A workspace may have been deleted since.
    if (last === null || !known.has(workspaceId)) continue;
    const { number, hash } = last;
    const same = await auditSeals.find({ store: running, workspaceId }, { number });
    if (same?.row.hash === hash) continue;
    findings.push(`${name}: audit seal ${number} of the backup is not that of the running store`);
  }
  return findings;
}
