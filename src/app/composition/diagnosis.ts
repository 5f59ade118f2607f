/**
 * Examines the state of an installation, for `kurant doctor` and `GET /readyz?verbose`. Only
 * findings of the level `problem` are a reason for an alarm.
 *
 * Files that record the last successful backup and the last test of a backup. The store does not
 * contain these records, because a backup must not write to the store.
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

export async function diagnose(setup: DiagnosisSetup): Promise<readonly Point[]> {
  const { dataDir } = setup;
  const isFile = dataDir !== null && await sizeOf(storeFile(dataDir).kvPath) !== null;
  const points: Point[] = [];
  for (const examine of EXAMINATIONS) {
    points.push(...await examine({ ...setup, dataDir: isFile ? dataDir : null }));
  }
  return points;
}

const EXAMINATIONS: readonly ((setup: DiagnosisSetup) => Point[] | Promise<Point[]>)[] = [
  examineVersion,
  examineConfig,
  examineFile,
  examineRoom,
  examineFolder,
  examineBackup,
  examineDrill,
  examineClock,
  examineMail,
  examineQueues,
  examineJobs,
  examineSeals,
  examineStalls,
];

const pointOf =
  (level: Point["level"]) => (name: string, text: string, remedy: string | null = null): Point => ({
    name,
    level,
    text,
    remedy,
  });

const ok = pointOf("ok");
const note = pointOf("note");
const problem = pointOf("problem");

async function examineVersion({ store }: DiagnosisSetup): Promise<Point[]> {
  const { layout } = await findLayout(store);
  return [ok("version", `Kurant ${VERSION} with Deno ${Deno.version.deno}, layout ${layout}`)];
}

function examineConfig({ config }: DiagnosisSetup): Point[] {
  const notes: Point[] = [];
  const isPublic = !["127.0.0.1", "::1", "localhost"].includes(config.HOST);
  if (isPublic && config.PUBLIC_URL === null) {
    notes.push(note("settings", "PUBLIC_URL is not set", "set it to the address in the browser"));
  }
  const { hosts, ranges } = config.SCRAPE_ALLOW_PRIVATE;
  if (hosts.size + ranges.length > 0) {
    const text = "SCRAPE_ALLOW_PRIVATE opens private addresses to every user";
    notes.push(note("settings", text, "leave it empty, except in tests"));
  }
  if (config.METRICS_TOKEN === null) {
    const text = "METRICS_TOKEN is not set, so there are no metrics";
    notes.push(note("settings", text, "set it and watch /metrics"));
  }
  return notes.length > 0 ? notes : [ok("settings", "complete")];
}

function examineFile({ store, dataDir }: DiagnosisSetup): Point[] {
  if (dataDir === null) return [ok("file", "the store is not a file on this machine")];
  if (store.isDamaged?.()) return [problem("file", DAMAGED)];
  const found = notesOfFile(storeFile(dataDir).kvPath).map(({ text }) => problem("file", text));
  const whyOff = store.direct?.whyOff ?? null;
  if (whyOff !== null) {
    found.push(problem("file", `Lists are read by the engine, which is slower: ${whyOff}`));
  }
  return found.length > 0 ? found : [ok("file", "has the layout of this version")];
}

async function examineRoom({ dataDir }: DiagnosisSetup): Promise<Point[]> {
  if (dataDir === null) return [];
  const { kvPath } = storeFile(dataDir);
  const free = await freeBytesBeside(kvPath);
  if (free === null) {
    return [note("room", "no permission to read the free space", "run `kurant doctor`")];
  }
  const bytes = await sizeOf(kvPath) ?? 0;
  const text = `${free} bytes free, the store has ${bytes}`;
  const remedy = "free space: a backup needs as much as the store, an upgrade twice as much";
  if (free < bytes) return [problem("room", text, remedy)];
  return [free < 2 * bytes ? note("room", text, remedy) : ok("room", text)];
}

async function examineFolder({ dataDir }: DiagnosisSetup): Promise<Point[]> {
  if (dataDir === null) return [];
  const path = `${dataDir}/.kurant-doctor-${Deno.pid}`;
  try {
    await Deno.writeTextFile(path, "");
    await Deno.remove(path);
  } catch (error) {
    const text = `the folder "${dataDir}" cannot be written to: ${error}`;
    return [problem("folder", text, "give the server's user write access")];
  }
  const { mode } = await Deno.stat(storeFile(dataDir).kvPath);
  const { mode: folderMode } = await Deno.stat(dataDir);
  const isOpen = mode !== null && folderMode !== null && (mode & folderMode & 0o004) !== 0;
  if (!isOpen) return [ok("folder", "can be written to, and others cannot read it")];
  return [
    note("folder", "every user of this machine can read the store", `chmod 700 "${dataDir}"`),
  ];
}

async function examineBackup({ dataDir, now }: DiagnosisSetup): Promise<Point[]> {
  if (dataDir === null) return [];
  const mark = await readMark(dataDir, backupMark);
  const remedy = "kurant backup FILE each night (deploy/kurant-backup.timer)";
  if (mark === null) return [note("backup", "no checked backup is known", remedy)];
  const text = `the last checked backup is from ${mark.at}: ${mark.path}`;
  const isOld = now().getTime() - Date.parse(mark.at) > 2 * DAY_MS;
  return [isOld ? problem("backup", text, remedy) : ok("backup", text)];
}

async function examineDrill({ dataDir, now }: DiagnosisSetup): Promise<Point[]> {
  if (dataDir === null) return [];
  const mark = await readMark(dataDir, drillMark);
  const remedy = "kurant drill FOLDER each week (deploy/kurant-drill.timer)";
  if (mark === null) return [note("drill", "no backup has been restored as a test", remedy)];
  const text = `of ${mark.at}, ${mark.path ?? "without a backup"}`;
  if (!mark.isSound) {
    return [problem("drill", `${text}: ${mark.findings[0] ?? ""}`, "make and check a new backup")];
  }
  const isOld = now().getTime() - Date.parse(mark.at) > 35 * DAY_MS;
  return [isOld ? note("drill", text, remedy) : ok("drill", text)];
}

async function examineClock({ store, now }: DiagnosisSetup): Promise<Point[]> {
  let newestMs = 0;
  for (const { id: workspaceId } of await listWorkspaces(store)) {
    const [last] = await auditRows.list({ store, workspaceId }, { order: "desc", limit: 1 });
    newestMs = Math.max(newestMs, last?.row.atMs ?? 0);
  }
  const aheadMs = newestMs - now().getTime();
  if (aheadMs <= CLOCK_AHEAD_MS) return [ok("clock", `it is ${now().toISOString()}`)];
  const text = `rows are ${Math.round(aheadMs / 1_000)} s newer than the clock of this machine`;
  return [problem("clock", text, "synchronise the clock (NTP)")];
}

async function examineMail({ config }: DiagnosisSetup): Promise<Point[]> {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = config;
  if (smtpUrl === null || from === null) {
    return [note("mail", "SMTP_URL is not set, so alerts are in the app only", "set it")];
  }
  try {
    const isInTime = await withTimeout(10_000, createMailer({ smtpUrl, from }).greet());
    if (isInTime) return [ok("mail", "the mail server greets")];
    return [problem("mail", "the mail server does not answer", "see SMTP_URL")];
  } catch (error) {
    const text = `the mail server refuses: ${error instanceof Error ? error.message : error}`;
    return [problem("mail", text, "see SMTP_URL")];
  }
}

const QUEUES: Readonly<Record<string, (store: Store) => Promise<number | null>>> = {
  events: (store) => oldestDueMs(outboxQueue, store),
  evaluation: (store) => oldestDueMs(dirtyQueue, store),
  webhooks: (store) => oldestDueMs(dueQueue, store),
  mails: (store) => oldestDueMs(mailQueue, store),
};

async function examineQueues({ store, now }: DiagnosisSetup): Promise<Point[]> {
  const late: Point[] = [];
  for (const [name, oldestMs] of Object.entries(QUEUES)) {
    const dueMs = await oldestMs(store);
    const lateMs = dueMs === null ? 0 : now().getTime() - dueMs;
    if (lateMs <= LATE_MS) continue;
    const text = `the queue "${name}" is late by ${Math.round(lateMs / 1_000)} s`;
    late.push(problem("queues", text, "see that a server runs, and its log"));
  }
  return late.length > 0 ? late : [ok("queues", "nothing is late")];
}

async function examineJobs({ store, now }: DiagnosisSetup): Promise<Point[]> {
  const late = (await countJobs(store, 10_000)).flatMap(({ kind, status, sinceMs }) => {
    const ageMs = now().getTime() - sinceMs;
    const text = `a job "${kind}" has been ${status} for ${Math.round(ageMs / 1_000)} s`;
    return ageMs > HOUR_MS ? [{ text, status }] : [];
  });
  if (late.length === 0) return [ok("jobs", "none is late")];
  return late.map(({ text, status }) =>
    status === "queued"
      ? problem("jobs", text, "see that a server runs; cancel what blocks")
      : note("jobs", text, "see its progress; cancel it if it stands still")
  );
}

async function examineSeals({ store, now }: DiagnosisSetup): Promise<Point[]> {
  let oldestMs = Infinity;
  for (const { id: workspaceId } of await listWorkspaces(store)) {
    oldestMs = Math.min(oldestMs, await oldestUnsealedMs({ store, workspaceId }) ?? Infinity);
  }
  if (now().getTime() - oldestMs <= LATE_MS) return [ok("audit", "the audit log is sealed")];
  const text = `audit rows have had no seal since ${new Date(oldestMs).toISOString()}`;
  return [note("audit", text, "start a server, which seals them each minute")];
}

function examineStalls(): Point[] {
  const stallMs = longestStallMs();
  if (stallMs < 1_000) return [];
  const text = `in the last two minutes, this process answered nobody for ${stallMs} ms`;
  return [note("stalls", text, "see the load of the machine")];
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

/** Replaces the file in one step, so that a reader never sees a part of it. */
export async function writeMark<T>(dataDir: string, mark: Mark<T>, value: T): Promise<void> {
  const path = pathOf(dataDir, mark);
  const part = `${path}.${Deno.pid}.part`;
  await Deno.writeTextFile(part, `${JSON.stringify(value, null, 2)}\n`);
  await Deno.rename(part, path);
}
