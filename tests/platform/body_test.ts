import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import fc from "fast-check";
import {
  BodyMemory,
  DEFAULT_BODY_PACE,
  readBlocks,
  readJsonBytes,
} from "../../src/platform/http/body.ts";
import { extent } from "../proof.ts";

function requestOf(body: ReadableStream<Uint8Array>): Request {
  return new Request("http://kurant.example/", { method: "POST", body });
}

/** A request whose body arrives in these pieces. */
const inPieces = (pieces: readonly Uint8Array[]) =>
  requestOf(ReadableStream.from(pieces.map((piece) => piece.slice())));

/** A request whose body the test sends step by step. */
function openBody() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    request: requestOf(readable),
    send: (bytes: number) => writer.write(new Uint8Array(bytes).fill(32)),
    end: () => writer.close(),
  };
}

const plenty = () => new BodyMemory(10_000_000);

Deno.test("a body is the same bytes, in whatever pieces it came", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 30_000 }), { maxLength: 12 }),
      async (pieces) => {
        const whole = pieces.flatMap((piece) => [...piece]);
        const pace = DEFAULT_BODY_PACE;
        assertEquals([...await readJsonBytes(inPieces(pieces), pace, plenty())], whole);
        const blocks = await Array.fromAsync(readBlocks(inPieces(pieces), 1_000_000, pace));
        assertEquals(blocks.flatMap((block) => [...block]), whole);
        ok(blocks.slice(0, -1).every(({ length }) => length === 65_536));
      },
    ),
    { numRuns: extent(30, 15) },
  );
});

Deno.test("a body takes as much memory as it has bytes, without the buffers of its pieces", async () => {
  const pieces = Array.from({ length: 1_000 }, () => new Uint8Array(65_536).subarray(0, 1));
  const stream = requestOf(ReadableStream.from(pieces));
  const bytes = await readJsonBytes(stream, DEFAULT_BODY_PACE, plenty());
  assertEquals([bytes.length, bytes.buffer.byteLength], [1_000, 1_000]);
  // The buffers of the pieces are freed at once, not at the next garbage collection.
  assertEquals(pieces.filter(({ buffer }) => buffer.byteLength > 0).length, 0);
});

Deno.test("when all bodies together are too large, the largest one is refused", async () => {
  const memory = new BodyMemory(600_000);
  const [large, small, late] = [openBody(), openBody(), openBody()];
  const read = (body: { request: Request }) =>
    readJsonBytes(body.request, DEFAULT_BODY_PACE, memory).then(
      ({ length }) => length,
      (error: unknown) => error instanceof Error && "code" in error ? error.code : error,
    );
  const [ofLarge, ofSmall] = [read(large), read(small)];
  await large.send(500_000);
  await small.send(10_000);
  const ofLate = read(late);
  await late.send(200_000);
  assertEquals(await ofLarge, "unavailable");
  await Promise.all([small.end(), late.end()]);
  assertEquals([await ofSmall, await ofLate], [10_000, 200_000]);
});

Deno.test("a body larger than the total limit is itself refused, and its memory is freed", async () => {
  const memory = new BodyMemory(100_000);
  const pieces = [new Uint8Array(90_000), new Uint8Array(90_000)];
  const first = readJsonBytes(inPieces(pieces), DEFAULT_BODY_PACE, memory);
  await rejects(first, { code: "unavailable" });
  const next = await readJsonBytes(inPieces([new Uint8Array(90_000)]), DEFAULT_BODY_PACE, memory);
  assertEquals(next.length, 90_000);
});

Deno.test("a body that stalls is refused", async () => {
  const pace = { windowMs: 50, bytesPerWindowMin: 10, totalMs: 600_000 };
  const stalled = openBody();
  const given = readJsonBytes(stalled.request, pace, plenty());
  await stalled.send(9);
  await rejects(given, { code: "request_timeout" });
});
