/**
 * Keys (`W`: id of the workspace): `idm W hash n` → the answer for repeated requests with the same
 * idempotency key: status, headers and body length if n is 0, otherwise up to 60,000 body bytes.
 */
import type { Context } from "../store/context.ts";
import { transact, transactVersioned, type Write } from "../store/kv.ts";
import { defineTable, type Found } from "../store/table.ts";
import { joinedBytes, partsOf, sha256 } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import { openBytes, sealBytes } from "../store/secret_store.ts";
import type { AppContext } from "./http.ts";
import { EXTERNAL_PATH } from "./answer.ts";

const PARTS_PER_COMMIT = 10;
const SWEEP_MS = 25 * 3_600_000;

/** `done`: the request's changes are committed; `answered`: the request's answer is stored, too. */
interface Reservation {
  readonly hash: Uint8Array;
  readonly state: "running" | "done" | "answered";
  /** Body hash and query, which must be equal in all requests with the same idempotency key. */
  readonly asked: string;
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
  readonly path: string | null;
}

export const reservations = defineTable<Reservation, "hash">({
  prefix: "idm",
  about: "the first request with an idempotency key",
  key: { hash: "bytes" },
  expireInMs: SWEEP_MS,
});

interface Answer {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: Uint8Array<ArrayBuffer>;
}

interface AnswerHead extends Omit<Answer, "body"> {
  /** Stored bytes after `bodyBytes` belong to a longer answer that was replaced. */
  readonly bodyBytes: number;
}

/** A request whose state stays `running` blocks its key for 60 s, for example after a crash. */
const RUNNING_MS_MAX = 60_000;
const IN_APP = "/api/";
const KEPT_HEADERS = ["Content-Type", "Location", "ETag", "X-Job-Status"];

interface Work {
  begin(ctx: Context): Promise<Response>;
  /** Makes the answer again with a GET of `path`, if the work is done but its answer was lost. */
  again?(path: string): Promise<Response>;
}

/**
 * Does the work once per idempotency key, and stores the answer, even if it is a refusal. Temporary
 * failures (429, 5xx, 409 with `Retry-After`) and errors that `work` throws are not stored.
 */
export async function answerOnce(c: AppContext, bodyHash: string, work: Work): Promise<Response> {
  const key = c.req.header("Idempotency-Key");
  if (key === undefined) return await work.begin(c.var.ctx);
  requireKeyForm(key);
  return await new KeyedRequest(c, key, bodyHash).answer(work);
}

class KeyedRequest {
  readonly #c: AppContext;
  readonly #ctx: Context;
  /** The reservation and the answer are stored under this hash. */
  readonly #hash: Uint8Array;
  /** Key that encrypts the stored answer; derived from the idempotency key, which is not stored. */
  readonly #secret: Uint8Array;
  readonly #asked: string;

  constructor(c: AppContext, key: string, bodyHash: string) {
    const url = new URL(c.req.url);
    const { type, id } = c.var.ctx.actor;
    const use = `${type} ${id}\n${key}\n${url.pathname}`;
    this.#c = c;
    this.#ctx = c.var.ctx;
    this.#hash = sha256(use);
    this.#secret = sha256(`answer\n${use}`);
    this.#asked = `${bodyHash}${url.search}`;
  }

  async answer(work: Work): Promise<Response> {
    const { isMine, found } = await this.#reserve();
    if (!isMine) {
      const { path, state } = found.row;
      if (state === "done" && path !== null && work.again) return await work.again(path);
      return await this.#replay(found.row);
    }
    // The commit fails if another request has taken over the idempotency key.
    const put = (write: Write, path: string | null) =>
      reservations.save(write, this.#ctx, found, this.#rowAt("done", path));
    try {
      const response = await work.begin({ ...this.#ctx, receipt: { put } });
      await this.#complete(response);
      return response;
    } catch (error) {
      // Release the key, so that a corrected or repeated request may use it.
      await this.#release();
      throw error;
    }
  }

  async #reserve(): Promise<{ readonly isMine: boolean; readonly found: Found<Reservation> }> {
    const { value, versionstamp } = await transactVersioned(this.#ctx, async (write) => {
      const found = await reservations.find(this.#ctx, { hash: this.#hash });
      const nowMs = this.#ctx.now().getTime();
      if (found && found.row.expiresAtMs > nowMs) {
        refuseOtherUse(found.row, this.#asked, nowMs);
        if (found.row.state !== "running") return { isMine: false, found };
      }
      const row = this.#rowAt("running");
      reservations.save(write, this.#ctx, found, row);
      return { isMine: true, found: { row, versionstamp: "" } };
    });
    if (versionstamp === null) return value;
    return { isMine: true, found: { row: value.found.row, versionstamp } };
  }

  #rowAt(state: Reservation["state"], path: string | null = null): Reservation {
    const nowMs = this.#ctx.now().getTime();
    const times = { startedAtMs: nowMs, expiresAtMs: nowMs + 24 * 3_600_000 };
    return { hash: this.#hash, state, asked: this.#asked, ...times, path };
  }

  async #release(): Promise<void> {
    await transact(this.#ctx, async (write) => {
      const found = await reservations.find(this.#ctx, { hash: this.#hash });
      if (found?.row.state === "running") reservations.remove(write, this.#ctx, found);
    });
  }

  async #complete(response: Response): Promise<void> {
    // Do not store a temporary failure, so that a retry may use the same idempotency key.
    const { status, headers } = response;
    const isTemporary = status === 429 || status === 409 && headers.has("Retry-After");
    if (status >= 500 || isTemporary) return await this.#release();
    const { body, ...head } = await answerOf(response, this.#secret);
    const key = reservations.keyOf(this.#ctx, { hash: this.#hash });
    const parts = partsOf(body);
    for (let first = 0; first < parts.length; first += PARTS_PER_COMMIT) {
      await transact(this.#ctx, (write) => {
        parts.slice(first, first + PARTS_PER_COMMIT).forEach((part, n) => {
          write.set([...key, first + n + 1], part, SWEEP_MS);
        });
      });
    }
    await transact(this.#ctx, async (write) => {
      const found = await reservations.find(this.#ctx, { hash: this.#hash });
      // Part 0 is stored last, because the answer is readable as soon as part 0 exists.
      write.set([...key, 0], { ...head, bodyBytes: body.length }, SWEEP_MS);
      reservations.save(write, this.#ctx, found, this.#rowAt("answered"));
    });
  }

  async #replay({ state, path }: Reservation): Promise<Response> {
    const answer = state === "answered" ? await this.#findAnswer() : null;
    if (!answer) return await readAgain(this.#c, path);
    return new Response(openBytes(this.#secret, answer.body), {
      status: answer.status,
      headers: [...answer.headers, ["Idempotent-Replayed", "true"]],
    });
  }

  async #findAnswer(): Promise<Answer | null> {
    let head: AnswerHead | null = null;
    const parts: Uint8Array[] = [];
    const prefix = [...reservations.keyOf(this.#ctx, { hash: this.#hash })];
    const rows = this.#ctx.store.kv.list<AnswerHead | Uint8Array>({ prefix });
    for await (const { value } of rows) {
      if (value instanceof Uint8Array) parts.push(value);
      else head = value;
    }
    if (!head) return null;
    const { status, headers, bodyBytes } = head;
    return { status, headers, body: joinedBytes(parts).slice(0, bodyBytes) };
  }
}

export function requireKeyForm(key: string | undefined): void {
  if (key === undefined || (key.length > 0 && key.length <= 255)) return;
  throw new Failure("validation_failed", "Idempotency-Key must have 1 to 255 characters", {
    fields: [{ path: "Idempotency-Key", message: "Must have 1 to 255 characters" }],
  });
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
