/**
 * Examines an installation, for `kurant doctor` and `GET /readyz?verbose`. Only findings of the
 * level `problem` need an alarm.
 *
 * Files (marks) record the last good backup and the last restore drill, because backups and drills
 * do not write to the store.
 */
import { auditRows } from "../../accounts/audit/audit_store.ts";
import { oldestUnsealedMs } from "../../accounts/audit/audit_seal_store.ts";
import { listWorkspaces } from "../../accounts/workspace.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { VERSION } from "../../base/version.ts";
import { mailQueue } from "../../messages/alert_store.ts";
import { dueQueue } from "../../messages/delivery_store.ts";
import { dirtyQueue, outboxQueue } from "../../platform/events/outbox_store.ts";
import { longestStallMs, withTimeout } from "../../platform/event_loop.ts";
import { countJobs } from "../../platform/jobs/job_store.ts";
import { createMailer } from "../../platform/mail.ts";
import { notesOfFile } from "../../platform/store/file_layout.ts";
import type { Store } from "../../platform/store/kv.ts";
import { findLayout, storeFile } from "../../platform/store/open_store.ts";
import { oldestDueMs } from "../../platform/store/row_queue_store.ts";
import { sizeOf } from "../../platform/store/store_file.ts";
import { DAMAGED, freeBytesBeside } from "../../platform/store/store_trouble.ts";
import type { DiagnosisPoint as Point } from "../reference/reference_routes.ts";
import type { Config } from "./config.ts";
import { z } from "zod";

interface DiagnosisSetup {
  readonly store: Store;
  readonly config: Config;
  readonly dataDir: string | null;
  now(): Date;
}

const LATE_MS = 10 * MINUTE_MS;
const CLOCK_AHEAD_MS = MINUTE_MS;

type Finding = readonly [level: Point["level"], text: string, remedy?: string];
type Examine = (setup: DiagnosisSetup) => AsyncIterable<Finding> | Iterable<Finding>;

/** `fine` is the text that is reported with the level `ok` if `examine` yields nothing. */
const EXAMINATIONS: Readonly<Record<string, readonly [examine: Examine, fine?: string]>> = {
  version: [examineVersion],
  settings: [examineConfig, "complete"],
  file: [examineFile, "has the layout of this version"],
  room: [examineRoom],
  folder: [examineFolder],
  backup: [examineBackup],
  drill: [examineDrill],
  clock: [examineClock],
  mail: [examineMail],
  queues: [examineQueues, "nothing is late"],
  jobs: [examineJobs, "none is late"],
  audit: [examineSeals, "the audit log is sealed"],
  stalls: [examineStalls],
};

export async function diagnose(setup: DiagnosisSetup): Promise<readonly Point[]> {
  const { dataDir } = setup;
  const isFile = dataDir !== null && await sizeOf(storeFile(dataDir).kvPath) !== null;
  const points: Point[] = [];
  for (const [name, [examine, fine]] of Object.entries(EXAMINATIONS)) {
    const found = await Array.fromAsync(examine({ ...setup, dataDir: isFile ? dataDir : null }));
    const findings = found.length > 0 || fine === undefined ? found : [["ok", fine] as const];
    points.push(...findings.map(([level, text, remedy = null]) => ({ name, level, text, remedy })));
  }
  return points;
}

async function* examineVersion({ store }: DiagnosisSetup): AsyncGenerator<Finding> {
  const { layout } = await findLayout(store);
  yield ["ok", `Kurant ${VERSION} with Deno ${Deno.version.deno}, layout ${layout}`];
}

function* examineConfig({ config }: DiagnosisSetup): Generator<Finding> {
  const isPublic = !["127.0.0.1", "::1", "localhost"].includes(config.HOST);
  if (isPublic && config.PUBLIC_URL === null) {
    yield ["note", "PUBLIC_URL is not set", "set it to the address in the browser"];
  }
  const { hosts, ranges } = config.SCRAPE_ALLOW_PRIVATE;
  if (hosts.size + ranges.length > 0) {
    const text = "SCRAPE_ALLOW_PRIVATE opens private addresses to every user";
    yield ["note", text, "name only the addresses that you need"];
  }
  if (config.METRICS_TOKEN === null) {
    const text = "METRICS_TOKEN is not set, so there are no metrics";
    yield ["note", text, "set it and watch /metrics"];
  }
}

function* examineFile({ store, dataDir }: DiagnosisSetup): Generator<Finding> {
  if (dataDir === null) return yield ["ok", "the store is not a file on this machine"];
  if (store.isDamaged?.()) return yield ["problem", DAMAGED];
  for (const { text } of notesOfFile(storeFile(dataDir).kvPath)) yield ["problem", text];
  const whyOff = store.direct?.whyOff ?? null;
  if (whyOff === null) return;
  yield ["problem", `Lists are read with Deno KV, which is slower: ${whyOff}`];
}

async function* examineRoom({ dataDir }: DiagnosisSetup): AsyncGenerator<Finding> {
  if (dataDir === null) return;
  const { kvPath } = storeFile(dataDir);
  const free = await freeBytesBeside(kvPath);
  const bytes = await sizeOf(kvPath) ?? 0;
  const text = `${free} bytes free, the store has ${bytes}`;
  const remedy = "free space: a backup needs as much as the store, an upgrade twice as much";
  if (free === null) yield ["note", "no permission to read the free space", "run `kurant doctor`"];
  else if (free >= 2 * bytes) yield ["ok", text];
  else yield [free < bytes ? "problem" : "note", text, remedy];
}

async function* examineFolder({ dataDir }: DiagnosisSetup): AsyncGenerator<Finding> {
  if (dataDir === null) return;
  const path = `${dataDir}/.kurant-doctor-${Deno.pid}`;
  try {
    await Deno.writeTextFile(path, "");
    await Deno.remove(path);
  } catch (error) {
    const text = `the folder "${dataDir}" cannot be written to: ${error}`;
    return yield ["problem", text, "give the server's user write access"];
  }
  const { mode } = await Deno.stat(storeFile(dataDir).kvPath);
  const { mode: folderMode } = await Deno.stat(dataDir);
  const isOpen = mode !== null && folderMode !== null && (mode & folderMode & 0o004) !== 0;
  if (!isOpen) return yield ["ok", "can be written to, and others cannot read it"];
  yield ["note", "every user of this machine can read the store", `chmod 700 "${dataDir}"`];
}

async function* examineBackup({ dataDir, now }: DiagnosisSetup): AsyncGenerator<Finding> {
  if (dataDir === null) return;
  const mark = await readMark(dataDir, backupMark);
  const remedy = "kurant backup FILE each night (deploy/kurant-backup.timer)";
  if (mark === null) return yield ["note", "no checked backup is known", remedy];
  const text = `the last checked backup is from ${mark.at}: ${mark.path}`;
  yield isOlder(mark, 2, now) ? ["problem", text, remedy] : ["ok", text];
}

async function* examineDrill({ dataDir, now }: DiagnosisSetup): AsyncGenerator<Finding> {
  if (dataDir === null) return;
  const mark = await readMark(dataDir, drillMark);
  const remedy = "kurant drill FOLDER each week (deploy/kurant-drill.timer)";
  if (mark === null) return yield ["note", "no backup has been restored as a test", remedy];
  const text = `of ${mark.at}, ${mark.path ?? "without a backup"}`;
  const [finding = ""] = mark.findings;
  if (!mark.isSound) return yield ["problem", `${text}: ${finding}`, "make and check a new backup"];
  yield isOlder(mark, 35, now) ? ["note", text, remedy] : ["ok", text];
}

function isOlder({ at }: { readonly at: string }, days: number, now: () => Date): boolean {
  return now().getTime() - Date.parse(at) > days * DAY_MS;
}

async function* examineClock({ store, now }: DiagnosisSetup): AsyncGenerator<Finding> {
  let newestMs = 0;
  for (const { id: workspaceId } of await listWorkspaces(store)) {
    const [last] = await auditRows.list({ store, workspaceId }, { order: "desc", limit: 1 });
    newestMs = Math.max(newestMs, last?.row.atMs ?? 0);
  }
  const aheadMs = newestMs - now().getTime();
  if (aheadMs <= CLOCK_AHEAD_MS) return yield ["ok", `it is ${now().toISOString()}`];
  const text = `rows are ${Math.round(aheadMs / 1_000)} s newer than the clock of this machine`;
  yield ["problem", text, "synchronise the clock (NTP)"];
}

async function* examineMail({ config }: DiagnosisSetup): AsyncGenerator<Finding> {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = config;
  if (smtpUrl === null || from === null) {
    return yield ["note", "SMTP_URL is not set, so alerts are in the app only", "set it"];
  }
  const greeting = createMailer({ smtpUrl, from }).greet();
  const isInTime = await withTimeout(10_000, greeting);
  const trouble = isInTime ? await greeting : { message: "it does not answer" };
  if (trouble === null) return yield ["ok", "the mail server greets"];
  yield ["problem", `the mail server refuses: ${trouble.message}`, "see SMTP_URL"];
}

const QUEUES: Readonly<Record<string, (store: Store) => Promise<number | null>>> = {
  events: (store) => oldestDueMs(outboxQueue, store),
  evaluation: (store) => oldestDueMs(dirtyQueue, store),
  webhooks: (store) => oldestDueMs(dueQueue, store),
  mails: (store) => oldestDueMs(mailQueue, store),
};

async function* examineQueues({ store, now }: DiagnosisSetup): AsyncGenerator<Finding> {
  for (const [name, oldestMs] of Object.entries(QUEUES)) {
    const lateMs = now().getTime() - (await oldestMs(store) ?? Infinity);
    if (lateMs <= LATE_MS) continue;
    const text = `the queue "${name}" is late by ${Math.round(lateMs / 1_000)} s`;
    yield ["problem", text, "see that a server runs, and its log"];
  }
}

async function* examineJobs({ store, now }: DiagnosisSetup): AsyncGenerator<Finding> {
  for (const { kind, status, sinceMs } of await countJobs(store, 10_000)) {
    const ageMs = now().getTime() - sinceMs;
    if (ageMs <= HOUR_MS) continue;
    const text = `a job "${kind}" has been ${status} for ${Math.round(ageMs / 1_000)} s`;
    if (status !== "queued") yield ["note", text, "see its progress; cancel it if it stands still"];
    else yield ["problem", text, "see that a server runs; cancel what blocks"];
  }
}

async function* examineSeals({ store, now }: DiagnosisSetup): AsyncGenerator<Finding> {
  let oldestMs = Infinity;
  for (const { id: workspaceId } of await listWorkspaces(store)) {
    oldestMs = Math.min(oldestMs, await oldestUnsealedMs({ store, workspaceId }) ?? Infinity);
  }
  if (now().getTime() - oldestMs <= LATE_MS) return;
  const text = `audit rows have had no seal since ${new Date(oldestMs).toISOString()}`;
  yield ["note", text, "start a server, which seals them each minute"];
}

function* examineStalls(): Generator<Finding> {
  const stallMs = longestStallMs();
  if (stallMs < 1_000) return;
  const text = `in the last two minutes, this process answered nobody for ${stallMs} ms`;
  yield ["note", text, "see the load of the machine"];
}

interface Mark<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
}

const markOf = <T>(name: string, schema: z.ZodType<T>): Mark<T> => ({ name, schema });

export const backupMark = markOf(
  "backup",
  z.object({ at: z.iso.datetime(), path: z.string(), bytes: z.int() }),
);

export const drillMark = markOf(
  "drill",
  z.object({
    at: z.iso.datetime(),
    path: z.string().nullable(),
    isSound: z.boolean(),
    seconds: z.number(),
    findings: z.array(z.string()),
  }),
);

/** Returns the folder of the store file; null if the store is not a file. */
export function fileFolder({ KV_URL, DENO_DEPLOYMENT_ID, DATA_DIR }: Config): string | null {
  return KV_URL === null && DENO_DEPLOYMENT_ID === null ? DATA_DIR : null;
}

const pathOf = (dataDir: string, { name }: { readonly name: string }) =>
  `${dataDir}/kurant.${name}.json`;

export async function readMark<T>(dataDir: string | null, mark: Mark<T>): Promise<T | null> {
  if (dataDir === null) return null;
  try {
    const stored: unknown = JSON.parse(await Deno.readTextFile(pathOf(dataDir, mark)));
    return mark.schema.safeParse(stored).data ?? null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Replaces the mark's file in one step, so that no reader sees an incomplete file. */
export async function writeMark<T>(dataDir: string, mark: Mark<T>, value: T): Promise<void> {
  const path = pathOf(dataDir, mark);
  const part = `${path}.${Deno.pid}.part`;
  await Deno.writeTextFile(part, `${JSON.stringify(value, null, 2)}\n`);
  await Deno.rename(part, path);
}
