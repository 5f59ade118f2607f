/**
 * Keys (`W`: id of the workspace): `idm W hash` → reservation of an idempotency key; `idm W hash n`
 * → part n of a stored response, up to 60,000 bytes; part 0 has status, headers and body length.
 */
import type { Context, WorkspaceStore } from "../store/context.ts";
import { transact, transactVersioned, type Write } from "../store/kv.ts";
import { idKey } from "../store/rows.ts";
import { joinedBytes, partsOf, sha256 } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import { openBytes, sealBytes } from "../store/secret_store.ts";
import type { AppContext } from "./http.ts";
import { EXTERNAL_PATH } from "./answer.ts";
import type { Next } from "hono";

const PARTS_PER_COMMIT = 10;
const SWEEP_MS = 25 * 3_600_000;

/** In the state `done`, the changes are committed; in `answered`, the answer is stored, too. */
interface Reservation {
  readonly state: "running" | "done" | "answered";
  /** Body hash and query, which must be equal in all requests with the same idempotency key. */
  readonly asked: string;
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
  readonly path: string | null;
}

interface Answer {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: Uint8Array<ArrayBuffer>;
}

interface AnswerHead extends Omit<Answer, "body"> {
  /** Stored bytes beyond `bodyBytes` belong to a longer answer that was replaced. */
  readonly bodyBytes: number;
}

const rowKey = (workspaceId: string, hash: Uint8Array) => [...idKey("idm", workspaceId), hash];

async function findReservation(
  { store, workspaceId }: WorkspaceStore,
  hash: Uint8Array,
): Promise<{ reservation: Reservation | null; versionstamp: string | null }> {
  const { value, versionstamp } = await store.kv.get<Reservation>(rowKey(workspaceId, hash));
  return { reservation: value, versionstamp };
}

export function saveReservation(
  write: Write,
  workspaceId: string,
  hash: Uint8Array,
  versionstamp: string | null,
  reservation: Reservation,
): void {
  const key = rowKey(workspaceId, hash);
  write.check(key, versionstamp);
  write.set(key, reservation, SWEEP_MS);
}

async function findAnswer(
  { store, workspaceId }: WorkspaceStore,
  hash: Uint8Array,
): Promise<Answer | null> {
  let head: AnswerHead | null = null;
  const parts: Uint8Array[] = [];
  const prefix = rowKey(workspaceId, hash);
  for await (const { value } of store.kv.list<AnswerHead | Uint8Array>({ prefix })) {
    if (value instanceof Uint8Array) parts.push(value);
    else head = value;
  }
  if (!head) return null;
  const { status, headers, bodyBytes } = head;
  return { status, headers, body: joinedBytes(parts).slice(0, bodyBytes) };
}

/** A request without an answer is assumed to be running for this time after its reservation. */
const RUNNING_MS_MAX = 60_000;
const IN_APP = "/api/";
const KEPT_HEADERS = ["Content-Type", "Location", "ETag", "X-Job-Status"];

/** Repeats the stored answer, or runs the request and stores any answer except 429 and 5xx. */
export async function answerOnce(
  c: AppContext,
  key: string,
  bodyHash: string,
  next: Next,
): Promise<Response | void> {
  requireKeyForm(key);
  const question = questionOf(c, key, bodyHash);
  const held = await reserve(c.var.ctx, question);
  if (held.state === "known") return await replay(c, question, held.reservation);
  c.set("ctx", withReceipt(c.var.ctx, question, held.versionstamp));
  await next().catch((error) => releaseAfter(error, c.var.ctx, question));
  await complete(c.var.ctx, question, c.res);
}

interface StreamedWork {
  begin(ctx: Context): Promise<Response>;
  again(path: string): Promise<Response>;
}

export async function answerStreamOnce(
  c: AppContext,
  bodyHash: string,
  work: StreamedWork,
): Promise<Response> {
  const { ctx } = c.var;
  const key = c.req.header("Idempotency-Key");
  if (key === undefined) return await work.begin(ctx);
  requireKeyForm(key);
  const question = questionOf(c, key, bodyHash);
  const held = await reserve(ctx, question);
  if (held.state === "known") {
    const { path, state } = held.reservation;
    return state === "done" && path !== null
      ? await work.again(path)
      : await replay(c, question, held.reservation);
  }
  try {
    const response = await work.begin(withReceipt(ctx, question, held.versionstamp));
    await complete(ctx, question, response);
    return response;
  } catch (error) {
    return await releaseAfter(error, ctx, question);
  }
}

/** Releases the idempotency key, so that a corrected or repeated request may use it. */
async function releaseAfter(error: unknown, ctx: Context, { id }: Question): Promise<never> {
  await release(ctx, id);
  throw error;
}

export function requireKeyForm(key: string | undefined): void {
  if (key === undefined || (key.length > 0 && key.length <= 255)) return;
  throw new Failure("validation_failed", "Idempotency-Key must have 1 to 255 characters", {
    fields: [{ path: "Idempotency-Key", message: "Must have 1 to 255 characters" }],
  });
}

/** `id` finds the stored answer; `secret`, which only the caller can derive, decrypts it. */
interface Question {
  readonly id: Uint8Array;
  readonly secret: Uint8Array;
  readonly asked: string;
}

function questionOf(c: AppContext, key: string, bodyHash: string): Question {
  const url = new URL(c.req.url);
  const { type, id } = c.var.ctx.actor;
  const use = `${type} ${id}\n${key}\n${url.pathname}`;
  return { id: sha256(use), secret: sha256(`answer\n${use}`), asked: `${bodyHash}${url.search}` };
}

type Held =
  | { state: "mine"; versionstamp: string }
  | { state: "known"; reservation: Reservation };

async function reserve(ctx: Context, { id, asked }: Question): Promise<Held> {
  const { value, versionstamp } = await transactVersioned(
    ctx,
    async (write): Promise<Reservation | null> => {
      const found = await findReservation(ctx, id);
      const nowMs = ctx.now().getTime();
      const { reservation } = found;
      const isLive = reservation !== null && reservation.expiresAtMs > nowMs;
      if (isLive) refuseOtherUse(reservation, asked, nowMs);
      if (isLive && reservation.state !== "running") return reservation;
      const begun = reservationAt(ctx, { state: "running", asked, path: null });
      saveReservation(write, ctx.workspaceId, id, found.versionstamp, begun);
      return null;
    },
  );
  if (value) return { state: "known", reservation: value };
  if (versionstamp === null) throw new Error("A reservation was neither found nor written");
  return { state: "mine", versionstamp };
}

function reservationAt(
  ctx: Context,
  { state, asked, path }: Pick<Reservation, "state" | "asked" | "path">,
): Reservation {
  const nowMs = ctx.now().getTime();
  return { state, asked, startedAtMs: nowMs, expiresAtMs: nowMs + 24 * 3_600_000, path };
}

function refuseOtherUse(reservation: Reservation, asked: string, nowMs: number): void {
  if (reservation.asked !== asked) {
    throw new Failure(
      "idempotency_key_reused",
      "This Idempotency-Key was used with another body: take a new key for a new request",
    );
  }
  const leftMs = reservation.startedAtMs + RUNNING_MS_MAX - nowMs;
  if (reservation.state !== "running" || leftMs <= 0) return;
  throw new Failure("conflict", "The request with this Idempotency-Key is still running", {
    startedAt: new Date(reservation.startedAtMs).toISOString(),
    retryAfterSeconds: Math.ceil(leftMs / 1_000),
  });
}

/** `receipt.put` makes the commit fail if another request has taken over the idempotency key. */
function withReceipt(ctx: Context, { id, asked }: Question, versionstamp: string): Context {
  return {
    ...ctx,
    receipt: {
      put: (write, path) => {
        const done = reservationAt(ctx, { state: "done", asked, path });
        saveReservation(write, ctx.workspaceId, id, versionstamp, done);
      },
    },
  };
}

async function release(ctx: Context, id: Uint8Array): Promise<void> {
  await transact(ctx, async (write) => {
    const { reservation, versionstamp } = await findReservation(ctx, id);
    if (reservation?.state === "running") {
      write.check(rowKey(ctx.workspaceId, id), versionstamp);
      write.delete(rowKey(ctx.workspaceId, id));
    }
  });
}

async function complete(
  ctx: Context,
  { id, asked, secret }: Question,
  response: Response,
): Promise<void> {
  // Do not store a temporary failure, so that a retry may use the same idempotency key.
  if (response.status >= 500 || response.status === 429) return await release(ctx, id);
  const { body, ...head } = await answerOf(response, secret);
  const key = rowKey(ctx.workspaceId, id);
  const parts = partsOf(body);
  for (let first = 0; first < parts.length; first += PARTS_PER_COMMIT) {
    await transact(ctx, (write) => {
      parts.slice(first, first + PARTS_PER_COMMIT).forEach((part, n) => {
        write.set([...key, first + n + 1], part, SWEEP_MS);
      });
    });
  }
  await transact(ctx, async (write) => {
    const { versionstamp } = await findReservation(ctx, id);
    // Part 0 is stored last, because part 0 makes the answer readable.
    write.set([...key, 0], { ...head, bodyBytes: body.length }, SWEEP_MS);
    const answered = reservationAt(ctx, { state: "answered", asked, path: null });
    saveReservation(write, ctx.workspaceId, id, versionstamp, answered);
  });
}

/** Encrypts the body, because it may contain a link or a secret that is shown only once. */
async function answerOf(response: Response, secret: Uint8Array): Promise<Answer> {
  const headers: [string, string][] = [];
  for (const name of KEPT_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) headers.push([name, value]);
  }
  const body = new Uint8Array(await response.clone().arrayBuffer());
  return { status: response.status, headers, body: sealBytes(secret, body) };
}

async function replay(
  c: AppContext,
  { id, secret }: Question,
  reservation: Reservation,
): Promise<Response> {
  const answer = reservation.state === "answered" ? await findAnswer(c.var.ctx, id) : null;
  if (answer) {
    return new Response(openBytes(secret, answer.body), {
      status: answer.status,
      headers: [...answer.headers, ["Idempotent-Replayed", "true"]],
    });
  }
  return await readAgain(c, reservation.path);
}

async function readAgain(c: AppContext, made: string | null): Promise<Response> {
  if (made === null) {
    const message = "This request was carried out, but its answer was lost: check what it changed";
    throw new Failure("conflict", message, { carriedOut: true });
  }
  const path = onInterfaceOf(new URL(c.req.url).pathname, made);
  const headers = new Headers();
  for (const name of ["Authorization", "Cookie"]) {
    const value = c.req.header(name);
    if (value) headers.set(name, value);
  }
  const again = await c.var.gate.dispatch(new Request(new URL(path, c.req.url), { headers }), c);
  const answered = new Headers({
    "Content-Type": "application/json",
    "Location": path,
    "Idempotent-Replayed": "true",
  });
  const etag = again.headers.get("ETag");
  if (etag !== null) answered.set("ETag", etag);
  const isNew = again.ok && path.startsWith(`${new URL(c.req.url).pathname}/`);
  return new Response(again.body, { status: isNew ? 201 : again.status, headers: answered });
}

function onInterfaceOf(asked: string, made: string): string {
  return asked.startsWith(EXTERNAL_PATH) && !made.startsWith(EXTERNAL_PATH)
    ? EXTERNAL_PATH + made.slice(IN_APP.length)
    : made;
}
