import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { stdout } from "node:process";
import { statusOf } from "../api/answers.ts";
import { serverPid, startLiveServer } from "../program.ts";
import { extent } from "../proof.ts";
import { inFolder } from "../temporary_folder.ts";
import { memoryMib } from "../processor_time.ts";
import { connectTo, readSome } from "../raw_http.ts";

const MIB = 2 ** 20;
const SENT_MIB = 1_024;
/** Exceeds `GROWTH_MIB_MAX`, so that the test notices a body that is held in memory. */
const LIMIT_MIB = extent(256, 192);
/** Allowed growth of the server's memory: much less than a whole body. */
const GROWTH_MIB_MAX = 160;
/** MiB that client and server may buffer: sent, but not yet read. */
const BUFFERS_MIB = 64;

const encoder = new TextEncoder();
const chunk = new Uint8Array(MIB).fill(32);

async function sendUntilAnswered(
  base: string,
  head: string,
  frame: (bytes: Uint8Array<ArrayBuffer>) => readonly Uint8Array[],
): Promise<{ answer: string; sentMib: number }> {
  using connection = await connectTo(base);
  const state = { sentMib: 0, isAnswered: false };
  const writer = connection.writable.getWriter();
  await writer.write(encoder.encode(head));
  const sending = (async () => {
    while (!state.isAnswered && state.sentMib < SENT_MIB) {
      for (const part of frame(chunk)) await writer.write(part);
      state.sentMib++;
    }
  })().catch(() => {
    // The server may close the connection before it has read the whole body.
  });
  const answer = await readSome(connection);
  state.isAnswered = true;
  const sentMib = state.sentMib;
  connection[Symbol.dispose]();
  await sending;
  return { answer, sentMib };
}

inFolder.test("an upload of 1 GiB is refused with 413, at once or at the limit, and never held in memory", async (folder) => {
  const limit = { IMPORT_MAX_BODY_BYTES: String(LIMIT_MIB * MIB) };
  await using live = await startLiveServer(folder.path, limit);
  const pid = await serverPid(folder.path);
  const head = (framing: string) =>
    `POST /api/imports HTTP/1.1\r\nHost: ${new URL(live.url).host}\r\n` +
    `Cookie: ${live.cookie}\r\nContent-Type: application/xml\r\n${framing}\r\n\r\n`;
  const before = await memoryMib(pid, "VmRSS");

  const declared = head(`Content-Length: ${SENT_MIB * MIB}`);
  const early = await sendUntilAnswered(live.url, declared, (bytes) => [bytes]);
  match(early.answer, /^HTTP\/1\.1 413 /);
  ok(early.sentMib <= BUFFERS_MIB, `${early.sentMib} MiB were taken before the refusal`);

  const size = encoder.encode(`${MIB.toString(16)}\r\n`);
  const end = encoder.encode("\r\n");
  const chunked = head("Transfer-Encoding: chunked");
  const frame = (bytes: Uint8Array<ArrayBuffer>) => [size, bytes, end];
  const late = await sendUntilAnswered(live.url, chunked, frame);
  match(late.answer, /^HTTP\/1\.1 413 /);
  ok(late.sentMib >= LIMIT_MIB, `refused after ${late.sentMib} MiB`);
  ok(late.sentMib <= LIMIT_MIB + BUFFERS_MIB, `${late.sentMib} MiB were taken`);

  const peak = await memoryMib(pid, "VmHWM");
  if (before === null || peak === null) stdout.write("no /proc here: memory is not judged\n");
  else {
    stdout.write(`memory: ${before.toFixed(0)} MiB before, at most ${peak.toFixed(0)} MiB\n`);
    ok(peak - before < GROWTH_MIB_MAX, `memory grew by ${peak - before} MiB`);
  }
  assertEquals(await statusOf(live.anyone.get("/healthz")), 200);
});
