import { Failure, refuseFields } from "../../base/failure.ts";
import { addJob } from "../../platform/jobs/add_job.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import { listJobs } from "../../platform/jobs/job_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { CHECK_KIND, LINES_MAX, type LinkCheckRequest, type RawLine } from "./link_check.ts";
import { packLines, putPart } from "./link_check_store.ts";
import { readJsonLine, readLineText, TOO_MANY } from "./line_text.ts";

/** What a commit takes of parts without coming near its limits. */
const PARTS_PER_COMMIT = 8;
const LINES_PER_SLICE = 500;
/** At one shop they take weeks. Requests at the same time may bring a few more. */
const IN_HAND_MAX = 20;
/** Older ones have ended long ago, or stand beside as many that have not. */
const LOOKED_AT = 100;
const RETRY_AFTER_SECONDS = 60;

/**
 * Takes the lines in and has them looked at in the background; answers the check's id. Refuses with
 * `validation_failed` none and more than 50,000, and with `rate_limited` while 20 checks have not ended; a
 * bad line is told by itself.
 */
export async function startCheck(ctx: Context, request: LinkCheckRequest): Promise<string> {
  const lines = await linesOf(request);
  if (lines.length === 0) throw refuseFields([{ path: "text", message: "Must have a line" }]);
  await requireRoom(ctx);
  const checkId = ctx.newId();
  const parts = [...packLines(lines)];
  // Lines of a process that dies here become no check, and go by themselves.
  for (let at = 0; at < parts.length; at += PARTS_PER_COMMIT) {
    await transact(ctx, (write) => {
      for (const [n, bytes] of parts.slice(at, at + PARTS_PER_COMMIT).entries()) {
        putPart(write, ctx.workspaceId, checkId, at + n, bytes);
      }
    });
  }
  await transact(ctx, (write) => {
    addJob(write, { ...ctx, newId: () => checkId }, {
      kind: CHECK_KIND,
      args: { parts: parts.length },
      stats: { lines: lines.length },
      progress: { processed: 0, total: lines.length },
    });
    ctx.receipt?.put(write, `/api/link-checks/${checkId}`);
  });
  return checkId;
}

async function requireRoom(ctx: Context): Promise<void> {
  const newest = { kind: CHECK_KIND, limit: LOOKED_AT, afterId: null, order: "newest" } as const;
  const { jobs } = await listJobs(ctx, newest);
  if (jobs.filter((job) => !hasEnded(job)).length < IN_HAND_MAX) return;
  const message = `${IN_HAND_MAX} link checks have not ended: let some of them end, or cancel them`;
  throw new Failure("rate_limited", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

async function linesOf(request: LinkCheckRequest): Promise<RawLine[]> {
  if ("text" in request) {
    const lines = readLineText(request.text);
    if (lines !== TOO_MANY) return lines;
    throw new Failure("validation_failed", `Has more than ${LINES_MAX} lines`, {
      fields: [{ path: "text", message: `Must have at most ${LINES_MAX} lines` }],
    });
  }
  const slice = new TimeSlice();
  const lines: RawLine[] = [];
  for (const [at, line] of request.lines.entries()) {
    lines.push(readJsonLine(line));
    if (at % LINES_PER_SLICE === 0) await slice.yield();
  }
  return lines;
}
