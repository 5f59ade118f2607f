import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { readAnswer } from "../../src/platform/fetch/safe_fetch_answer.ts";
import { fetchPage, fetchText } from "./safe_fetching.ts";
import { openWire, withoutEnd, writeAll } from "../wire_server.ts";

/** Fetches from a server that writes `wire` at once. */
async function cameOf(wire: string | Uint8Array): Promise<string> {
  await using server = openWire((connection) => writeAll(connection, wire));
  return await fetchText(server.url);
}

/** More bytes than the buffers of both ends of a connection hold. */
const BUFFERED_BYTES = 32 * 1024 * 1024;

const FLOODS: readonly (readonly [name: string, wire: string, code: string])[] = [
  ["interim answers", "HTTP/1.1 103 Early Hints\r\n\r\n", "unreachable"],
  [
    "interim answers with links",
    `HTTP/1.1 103 -\r\nLink: <${"x".repeat(9_000)}>\r\n\r\n`,
    "too_large",
  ],
  ["a status line", "HTTP/1.1 200 OK", "too_large"],
  ["headers", `HTTP/1.1 200 OK\r\n${"X: y\r\n".repeat(1_000)}`, "too_large"],
  ["chunks of a byte with long extensions", `1;${"x".repeat(500)}\r\na\r\n`, "unreachable"],
];

for (const [name, wire, code] of FLOODS) {
  Deno.test(`safeFetch() gives up a server that sends ${name} without end`, async () => {
    const flood = withoutEnd(wire);
    await using server = openWire(async (connection) => {
      if (name.startsWith("chunks")) {
        await writeAll(connection, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      }
      await flood(connection);
    });
    assertEquals(await fetchText(server.url), code);
    ok(server.sent() < BUFFERED_BYTES, `${server.sent()} bytes were sent`);
  });
}

Deno.test("safeFetch() reads a response after interim ones, however it is framed", async () => {
  const interim = "HTTP/1.1 100 Continue\r\n\r\n" +
    "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nContent-Length: 9\r\n\r\n";
  const rows: Record<string, string> = {
    "200 OK\r\nContent-Length: 3\r\n\r\nabcd": "200 abc",
    "200 OK\r\ncontent-length:3 \r\nContent-Length: 4\r\n\r\nabc": "200 abc",
    "200 OK\r\nContent-Length: 0\r\n\r\n": "200 ",
    "200\r\n\r\nabc": "200 abc",
    "200 OK\n\nabc": "200 abc",
    "200 OK\r\nno header\r\nBad\x01: x\r\n folded\r\n\r\nabc": "200 abc",
    "200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n1\r\na\r\n002 ;x=y\r\nbc\r\n0\r\nT: u\r\n\r\n":
      "200 abc",
    "200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n3\nabc\n0\n\n": "200 abc",
    "204 No Content\r\nContent-Length: 3\r\n\r\n": "204 ",
    "404 Not Found\r\nContent-Length: 3\r\n\r\nabc": "404 abc",
    // Responses that are not final or are incomplete.
    "206 Partial Content\r\nContent-Length: 3\r\n\r\nabc": "unsupported_content",
    "101 Switching Protocols\r\n\r\n": "unreachable",
    "200 OK\r\n": "unreachable",
    "200 OK\r\nContent-Length: 4\r\n\r\nabc": "unreachable",
    "200 OK\r\nContent-Length: -3\r\n\r\nabc": "unreachable",
    "200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n": "unreachable",
    "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n": "unreachable",
    "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n": "unreachable",
    "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n\r\n": "unreachable",
    "200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffff\r\n\r\n": "unreachable",
  };
  for (const [rest, expected] of Object.entries(rows)) {
    for (const before of ["", interim]) {
      const wire = `${before}HTTP/1.1 ${rest}`;
      assertEquals([wire, await cameOf(wire)], [wire, expected]);
    }
  }
  for (const wire of ["SSH-2.0-OpenSSH_9.6\r\n\r\n", "HTTP/2 200\r\n\r\n", "\r\n", ""]) {
    assertEquals([wire, await cameOf(wire)], [wire, "unreachable"]);
  }
});

Deno.test("safeFetch() reads gzip of several members as one page", async () => {
  const body = [gzipSync("one "), gzipSync("two")].map((part) => part.toString("latin1")).join("");
  const head =
    `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`;
  const wire = Uint8Array.from(head + body, (letter) => letter.charCodeAt(0));
  assertEquals(await cameOf(wire), "200 one two");
});

/** A connection that delivers `bytes` in pieces. The pieces end at the positions `ends`. */
function sourceOf(bytes: Uint8Array, ends: readonly number[]) {
  const cuts = [...ends.map((end) => end % bytes.length), bytes.length].sort((a, b) => a - b);
  let at = 0;
  return {
    read: (into: Uint8Array) => {
      const end = cuts.find((cut) => cut > at) ?? at;
      const piece = bytes.subarray(at, Math.min(end, at + into.length));
      into.set(piece);
      at += piece.length;
      return Promise.resolve(piece.length || null);
    },
  };
}

async function bytesOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array((await Array.fromAsync(body)).flatMap((piece) => [...piece]));
}

const encoder = new TextEncoder();

function framed(data: readonly Uint8Array[]): Uint8Array {
  const chunks = data.filter(({ length }) => length > 0)
    .map((chunk) => [...encoder.encode(`${chunk.length.toString(16)}\r\n`), ...chunk, 13, 10]);
  const head = encoder.encode("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n");
  return new Uint8Array([...head, ...chunks.flat(), ...encoder.encode("0\r\n\r\nnext")]);
}

Deno.test("readAnswer() returns the data of all chunks, however the connection splits them", async () => {
  const data = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 8 });
  const ends = fc.array(fc.nat({ max: 2_000 }), { maxLength: 60 });
  await fc.assert(fc.asyncProperty(data, ends, async (chunks, cuts) => {
    const { status, headers, body } = await readAnswer(sourceOf(framed(chunks), cuts));
    assertEquals([status, headers.get("A")], [200, "b"]);
    assertEquals(await bytesOf(body), new Uint8Array(chunks.flatMap((chunk) => [...chunk])));
  }));
});

Deno.test("readAnswer() accepts a TLS end without close_notify for a body without a length", async () => {
  const ending = (wire: string) => {
    const parts = [encoder.encode(wire)];
    return {
      read(into: Uint8Array) {
        const part = parts.pop();
        if (!part) return Promise.reject(new Deno.errors.UnexpectedEof("no close_notify"));
        into.set(part);
        return Promise.resolve(part.length);
      },
    };
  };
  const open = await readAnswer(ending("HTTP/1.1 200 OK\r\n\r\npage"));
  assertEquals(await bytesOf(open.body), encoder.encode("page"));
  const short = await readAnswer(ending("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\npage"));
  await rejects(bytesOf(short.body), Deno.errors.UnexpectedEof);
});

Deno.test("safeFetch() sends one request, and no header value can add another header", async () => {
  await using server = openWire((connection) =>
    writeAll(connection, 'HTTP/1.1 200 OK\r\nETag: "ü"\r\nSet-Cookie: a\r\nX: 1\r\nX: 2\r\n\r\n')
  );
  const body = encoder.encode("{}");
  const headers = { "Content-Type": "application/json" };
  await fetchPage(`${server.url}/a%20b?c=ä#d`, { method: "POST", body, headers });
  assertEquals(server.requests[0]?.split("\r\n"), [
    "POST /a%20b?c=%C3%A4 HTTP/1.1",
    `Host: 127.0.0.1:${server.port}`,
    "User-Agent: KurantTest/1.0",
    "Accept: */*",
    "Accept-Encoding: gzip, deflate, br",
    "Content-Type: application/json",
    "Content-Length: 2",
    "Connection: close",
    "",
    "{}",
  ]);
  const split = await fetchPage(server.url, { headers: { "X-Key": "a\r\nX-Other: b" } });
  assertEquals([split.kind, server.requests.length], ["failed", 1]);
});
