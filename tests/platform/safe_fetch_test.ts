import type { SafeFetchSetup } from "../../src/platform/fetch/safe_fetch.ts";
import {
  createBodyRoom,
  isAllowedAddress,
  isPublicAddress,
  judgeUrl,
  parseAllowList,
  resolveBySystem,
} from "../../src/platform/fetch/fetch_limits.ts";
import { allowing, fetchPage, fetchText, saidOf } from "./safe_fetching.ts";
import { dataTest } from "../sample_data.ts";
import {
  dripping,
  encoded,
  endless,
  hanging,
  html,
  openShop,
  redirect,
  type Shop,
  swollenGzip,
} from "../scraping/hostile_shop.ts";
import { openWire, withoutEnd, writeAll } from "../wire_server.ts";
import assert, { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { readAnswer } from "../../src/platform/fetch/safe_fetch_answer.ts";
import { NOTHING_ALLOWED } from "../nothing_allowed.ts";

const GZIP = { headers: { "Content-Encoding": "gzip" } };

Deno.test("safeFetch() decodes every encoding that it asks for, also gzip of several members, and refuses others", async () => {
  const text = "<p>Kühlschrank</p>".repeat(1_000);
  const names = ["gzip", "deflate", "deflate-raw", "br"] as const;
  const pages = Object.fromEntries(names.map((name) => [`/${name}`, encoded(name, text)]));
  await using shop = openShop({
    ...pages,
    "/members": () => new Response(Uint8Array.from([...gzipSync("a"), ...gzipSync("b")]), GZIP),
    "/unknown": () => html("x", { "Content-Encoding": "zstd" }),
    "/broken": () => html("no gzip at all", GZIP.headers),
  });
  for (const name of names) assertEquals(await fetchText(`${shop.base}/${name}`), `200 ${text}`);
  assertEquals(await fetchText(`${shop.base}/members`), "200 ab");
  for (const path of ["/unknown", "/broken"]) {
    assertEquals(await fetchText(shop.base + path), "unsupported_content");
  }
});

const bomb = new Uint8Array(20_000_000);

Deno.test("safeFetch() counts bytes after decompression, and stops at the limit", async () => {
  await using shop = openShop({
    "/bomb": encoded("gzip", bomb),
    "/brotli": encoded("br", bomb),
    "/inf": endless,
    "/exact": () => html("x".repeat(1024 * 1024)),
    "/more": () => html("x".repeat(1024 * 1024 + 1)),
  });
  for (const path of ["/bomb", "/brotli", "/inf", "/more"]) {
    assertEquals([path, await fetchText(shop.base + path)], [path, "too_large"]);
  }
  assertEquals((await fetchText(`${shop.base}/exact`)).length, "200 ".length + 1024 * 1024);
  const cut = await fetchText(`${shop.base}/inf`, { onTooLarge: "cut", bytesMax: 1_000 });
  assertEquals(cut.length, "200 ".length + 1_000);
});

Deno.test("safeFetch() returns the beginning of a truncated body, even a compressed one", async () => {
  const text = "Disallow: /a/b/c\n".repeat(30_000);
  const body = swollenGzip(text);
  await using shop = openShop({
    "/long": () => new Response(body, GZIP),
    "/error": () => new Response(body, { ...GZIP, status: 503 }),
    "/broken": () => new Response(body.subarray(0, 60_000), GZIP),
  });
  const cut = { onTooLarge: "cut", bytesMax: 500_000 } as const;
  assertEquals(await fetchText(`${shop.base}/long`), `200 ${text}`);
  const long = await fetchText(`${shop.base}/long`, cut);
  assert(long.length > 300_000 && `200 ${text}`.startsWith(long), String(long.length));
  const error = await fetchText(`${shop.base}/error`);
  assert(error.length > 40_000 && `503 ${text}`.startsWith(error), String(error.length));
  // A broken body is an error, even for a caller that accepts the beginning of a long body.
  assertEquals(await fetchText(`${shop.base}/broken`, cut), "unsupported_content");
});

Deno.test("safeFetch() gives up after its timeout, whatever the server does", async () => {
  await using shop = openShop({ "/hang": hanging, "/drip": dripping, "/inf": endless });
  for (const path of ["/hang", "/drip", "/inf"]) {
    const limits = { timeoutMs: 300, bytesMax: Number.MAX_SAFE_INTEGER };
    assertEquals([path, await fetchText(shop.base + path, limits)], [path, "timeout"]);
  }
});

Deno.test("safeFetch() reports a closed port and a broken connection as unreachable", async () => {
  assertEquals(await fetchText("http://127.0.0.1:9/"), "unreachable");
  // The server closes the connection before it has read the whole body.
  await using server = openWire(() => Promise.resolve());
  const body = new Uint8Array(20_000_000);
  assertEquals(await fetchText(server.url, { method: "POST", body }), "unreachable");
});

Deno.test("safeFetch() follows at most five redirects, and only those that its caller follows", async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 6 }, (_, n) => [`/${n}`, redirect(`/${n + 1}`)]),
  );
  await using shop = openShop({ ...chain, "/6": () => html("end"), "/loop": redirect("/loop") });
  const five = await fetchPage(`${shop.base}/1`);
  assertEquals([saidOf(five), "url" in five && five.url], ["200 end", `${shop.base}/6`]);
  assertEquals(await fetchText(`${shop.base}/0`), "redirect_refused");
  assertEquals(await fetchText(`${shop.base}/loop`), "redirect_refused");
  const left = await fetchPage(`${shop.base}/5`, { follows: (url) => url.pathname !== "/6" });
  assertEquals(left, { kind: "moved", url: `${shop.base}/6`, hops: 1 });
});

Deno.test("safeFetch() keeps the status of an error response whose body never ends", async () => {
  await using shop = openShop({
    "/429": async (request) => {
      const { body } = await dripping(request);
      return new Response(body, { status: 429, headers: { "Retry-After": "7" } });
    },
  });
  const result = await fetchPage(`${shop.base}/429`);
  assert(result.kind === "answer");
  assertEquals([result.status, result.headers.get("Retry-After")], [429, "7"]);
});

Deno.test("safeFetch() sends conditional headers only to their own URL", async () => {
  const seen: (string | null)[] = [];
  const note = (request: Request) => seen.push(request.headers.get("If-None-Match"));
  await using shop = openShop({
    "/a": (request) => (note(request), redirect("/b")(request)),
    "/b": (request) => (note(request), new Response(null, { status: 304 })),
  });
  const conditional = { url: `${shop.base}/b`, headers: { "If-None-Match": '"1"' } };
  const said = await fetchText(`${shop.base}/a`, { conditional });
  assertEquals([said, seen], ["304 ", [null, '"1"']]);
});

Deno.test("safeFetch() throws the reason of an abort", async () => {
  await using shop = openShop({ "/hang": hanging });
  const controller = new AbortController();
  const fetching = fetchPage(`${shop.base}/hang`, { signal: controller.signal });
  controller.abort(new Error("enough"));
  assertEquals(await fetching.catch((error) => error.message), "enough");
});

Deno.test("safeFetch() gives dns_error for a name without an address; this machine resolves its own", async () => {
  assert((await resolveBySystem("localhost")).includes("127.0.0.1"));
  const url = "http://no.example/";
  const missing = () => Promise.reject(new Error("ENOTFOUND"));
  assertEquals(await fetchText(url, {}, { resolve: missing }), "dns_error");
  assertEquals(await fetchText(url, {}, { resolve: () => Promise.resolve([]) }), "dns_error");
  const resolve = () => new Promise<string[]>(() => {});
  assertEquals(await fetchText(url, { timeoutMs: 100 }, { resolve }), "timeout");
});

interface HostileRow {
  readonly url: string;
  readonly why: string;
  readonly must: "blocked" | "allowed";
  readonly stage: "parse" | "resolve" | "redirect";
  readonly dns?: string[][];
  readonly location?: string;
}

/** A shop's public address. Connections to `PUBLIC` lead to this machine. */
const PUBLIC = "198.51.100.10";
const DEAD_ENDS = new Set(["private_address", "redirect_refused", "unreachable"]);

/** Records all connections in `dialled`. Any address other than `PUBLIC` would be a leak. */
function guardedBy(
  { dns = [[PUBLIC]] }: Pick<HostileRow, "dns">,
  shop: Shop,
  dialled: string[],
): Partial<SafeFetchSetup> {
  let asked = 0;
  return {
    allowed: allowing(`${PUBLIC}/32`),
    ports: new Set([80, 443, 8080, 8443]),
    resolve: (name) => {
      if (name === "cname.hostile.example") return Promise.resolve(["127.0.0.1"]);
      return Promise.resolve(dns[Math.min(asked++, dns.length - 1)]!);
    },
    dial: (address, port) => {
      dialled.push(`${address}:${port}`);
      return { address: "127.0.0.1", port: shop.port };
    },
  };
}

const HOSTILE = "hostile/ssrf_urls.json";

dataTest(
  "safeFetch() never connects to the target of a hostile URL, name or redirect",
  HOSTILE,
  async (data) => {
    const rows = data.json<HostileRow[]>(HOSTILE);
    assert(rows.length > (data.isOwn ? 35 : 75));
    for (const row of rows) {
      const page = row.location === undefined ? () => html("secret") : redirect(row.location);
      const path = row.stage === "redirect" ? new URL(row.url).pathname : "/";
      await using shop = openShop({ [path]: page, "/loop": page });
      const dialled: string[] = [];
      const said = await fetchText(row.url, {}, guardedBy(row, shop, dialled));
      const elsewhere = dialled.filter((peer) => peer !== `${PUBLIC}:80`);
      if (row.must === "blocked" && !row.why.startsWith("first DNS answer")) {
        assert(DEAD_ENDS.has(said), `${row.url}: ${said}`);
        assertEquals(elsewhere, [], row.url);
        if (row.stage !== "redirect") assertEquals(dialled, [], row.url);
      }
      if (row.must === "allowed") assert(dialled.length > 0, row.url);
    }
  },
);

Deno.test("safeFetch() connects to the checked address, and resolves a name once", async () => {
  await using shop = openShop({ "/": () => html("shop") });
  const dialled: string[] = [];
  const answers = [[PUBLIC], ["127.0.0.1"]];
  const resolve = () => Promise.resolve(answers.shift()!);
  const rebinding = { ...guardedBy({}, shop, dialled), resolve };
  const said = await fetchText("http://rebind.hostile.example/", {}, rebinding);
  assertEquals([said, dialled, answers.length], ["200 shop", [`${PUBLIC}:80`], 1]);
});

const fixture = (name: string) =>
  Deno.readTextFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));

/** A new process, because Deno reads the trusted certificates when a process starts. */
async function saidByChild(urls: readonly string[], isTrusted: boolean): Promise<string[]> {
  const child = new URL("tls_fetch_child.ts", import.meta.url).pathname;
  const authority = new URL("../fixtures/tls/authority.pem", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", child, ...urls],
    env: { NO_COLOR: "1", ...(isTrusted && { DENO_CERT: authority }) },
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (text === "") throw new Error(new TextDecoder().decode(stderr));
  return text.trimEnd().split("\n");
}

Deno.test("safeFetch() reads a page over TLS only if its certificate is trusted and has its name", async () => {
  const listener = Deno.listenTls({
    hostname: "127.0.0.1",
    port: 0,
    cert: fixture("shop.pem"),
    key: fixture("shop.key"),
    alpnProtocols: ["h2", "http/1.1"],
  });
  await using server = openWire(async (connection) => {
    await writeAll(connection, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage");
  }, listener);
  const { port } = server;
  const names = ["shop.example", "shop.example.", "127.0.0.1", "other.example"];
  const refused = (name: string) => `"${name}:${port}" has no valid certificate`;
  const said = await saidByChild(names.map((name) => `https://${name}:${port}/`), true);
  assertEquals(said, ["200 page", "200 page", "200 page", refused("other.example")]);
  const untrusted = await saidByChild([`https://shop.example:${port}/`], false);
  assertEquals(untrusted, [refused("shop.example")]);
  assertEquals(
    server.requests.map((request) => request.split("\r\n")[1]),
    names.slice(0, 3).map((name) => `Host: ${name}:${port}`),
  );
});

async function cameOf(wire: string): Promise<string> {
  await using server = openWire((connection) => writeAll(connection, wire));
  return await fetchText(server.url);
}

/** More bytes than the buffers at both ends of a connection can take. */
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
    assert(server.sent() < BUFFERED_BYTES, `${server.sent()} bytes were sent`);
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

/** Simulates a connection that delivers `bytes` in pieces, cut at the positions `ends`. */
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

const OPEN_PORTS = new Set([80, 443, 8080, 8443]);
const ANY_PORT = { allowed: NOTHING_ALLOWED, ports: null };

Deno.test("judgeUrl() names what is wrong, and allows any port if the setting names none", () => {
  const table: [string, string][] = [
    ["ftp://shop.example/", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["shop.example/p/1", "malformed"],
    ["http:///shop.example/", "malformed"],
    ["http://a b/", "malformed"],
    ["https://me:pw@shop.example/", "credentials"],
    ["https://192.168.1.10/p/1", "private_address"],
    ["https://[fd00::1]/", "private_address"],
    ["https://shop.example:25/", "port"],
  ];
  for (const [url, error] of table) {
    assertEquals(judgeUrl(url, { allowed: NOTHING_ALLOWED, ports: OPEN_PORTS }), { error }, url);
  }
  assert("url" in judgeUrl("https://shop.example:25/", ANY_PORT));
});

Deno.test("judgeUrl() allows private addresses of the allow list, even on unusual ports, and no others", () => {
  const ports = ["127.0.0.1:9001", "[::1]:9002", "Shop:80"];
  const table: [list: string[], url: string, passes: boolean][] = [
    [["127.0.0.0/8"], "http://127.0.0.1:9/", true],
    [["127.0.0.0/8"], "http://192.168.1.10/", false],
    [["127.0.0.0/8"], "http://localhost/", false],
    [ports, "http://127.0.0.1:9001/", true],
    [ports, "http://127.0.0.1:9003/", false],
    [ports, "http://[::1]:9002/", true],
    [ports, "http://shop/", true],
    [ports, "http://shop:81/", false],
    [["::1", "localhost"], "http://localhost:5/", true],
    [["::1"], "http://[::1]:5/", true],
  ];
  for (const [list, url, passes] of table) {
    const judged = judgeUrl(url, { allowed: allowing(...list), ports: OPEN_PORTS });
    assertEquals([list, url, "url" in judged], [list, url, passes]);
  }
});

Deno.test("parseAllowList() names entries that it cannot read", () => {
  for (const error of ["http://shop/", "10.0.0.0/99"]) {
    assertEquals(parseAllowList(["127.0.0.1", error]), { error });
  }
});

/** Tests try the first, middle and last address of each range, and those just outside. */
const SPECIAL_RANGES_V4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16
  172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`.split(/\s+/);

const number = (address: string) =>
  address.split(".").reduce((value, part) => value * 256 + Number(part), 0);
const text = (value: number) =>
  [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join(".");
const spans = SPECIAL_RANGES_V4.map((range) => {
  const [start = "", bits] = range.split("/");
  return { first: number(start), last: number(start) + 2 ** (32 - Number(bits)) - 1 };
});
const isSpecial = (value: number) =>
  spans.some(({ first, last }) => value >= first && value <= last);

Deno.test("isPublicAddress() is exact at both ends of every special IPv4 range", () => {
  for (const { first, last } of spans) {
    for (const value of [first, last, (first + last - 1) / 2, first - 1, last + 1]) {
      if (value < 0 || value >= 2 ** 32) continue;
      assertEquals(isPublicAddress(text(value)), !isSpecial(value), text(value));
    }
  }
});

Deno.test("isPublicAddress() judges an IPv4 address inside IPv6 like the IPv4 address", () => {
  fc.assert(fc.property(fc.ipV4(), (address) => {
    assertEquals(isPublicAddress(`::ffff:${address}`), isPublicAddress(address));
    assertEquals(isPublicAddress(`64:ff9b::${address}`), false);
    const compatible = judgeUrl(`http://[::${address}]/`, ANY_PORT);
    assertEquals(compatible, { error: "private_address" });
  }));
});

Deno.test("isPublicAddress() accepts only allocated IPv6 ranges", () => {
  const allocated =
    "2606:4700::1111 2a00:1450:4001::1 2001:200::1 2001:db9::1 2003::1 3fff:1000::1";
  const other = "1fff:ffff::1 4000::1 2001:1ff:ffff::1 2001:db8::1 2002::1 3fff::1 fe80::1%eth0";
  assertEquals(allocated.split(" ").filter((address) => !isPublicAddress(address)), []);
  assertEquals([...other.split(" "), "no address"].filter(isPublicAddress), []);
});

Deno.test("isAllowedAddress() adds the allow list to the public addresses", () => {
  assertEquals(isAllowedAddress("10.1.2.3", NOTHING_ALLOWED), false);
  assertEquals(isAllowedAddress("10.1.2.3", allowing("10.0.0.0/8")), true);
  assertEquals(isAllowedAddress("::ffff:10.1.2.3", allowing("10.0.0.0/8")), true);
  assertEquals(isAllowedAddress("10.1.2.3", allowing("10.1.2.3:81"), 81), true);
  assertEquals(isAllowedAddress("10.1.2.3", allowing("10.1.2.3:81"), 80), false);
  assertEquals(isAllowedAddress("2606:4700::1111", NOTHING_ALLOWED), true);
});

const LIMITS = { smallBytes: 100, largeAtOnce: 4 };

const flush = async () => {
  for (let n = 0; n < 10; n++) await Promise.resolve();
};

/** `grow` asks for memory for a body; `admitted` lists the names of bodies that got it. */
function createPlaces() {
  const room = createBodyRoom(LIMITS);
  const admitted: string[] = [];
  return {
    admitted,
    grow(partition: string, name: string, bytes = 101) {
      const place = room.begin(partition);
      void place.admit(bytes).then(() => admitted.push(name));
      return place;
    },
  };
}

Deno.test("a single workspace gets at most half of the large places, so that others find some free", async () => {
  const { grow, admitted } = createPlaces();
  const held = ["a1", "a2", "a3"].map((name) => grow("a", name));
  grow("b", "b1");
  await flush();
  assert.deepEqual(admitted, ["a1", "a2", "b1"]);
  held[0]![Symbol.dispose]();
  await flush();
  assert.deepEqual(admitted, ["a1", "a2", "b1", "a3"]);
});

Deno.test("a body that is disposed of while waiting is skipped, and frees nothing", async () => {
  const { grow, admitted } = createPlaces();
  const first = grow("a", "a1");
  grow("a", "a2");
  const impatient = grow("a", "a3");
  grow("a", "a4");
  impatient[Symbol.dispose]();
  impatient[Symbol.dispose]();
  await flush();
  assert.deepEqual(admitted, ["a1", "a2"]);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  grow("a", "a5");
  await flush();
  assert.deepEqual(admitted, ["a1", "a2", "a4"]);
});

Deno.test("small bodies never wait, however many there are, and a growing body is admitted once", async () => {
  const { grow, admitted } = createPlaces();
  for (let n = 0; n < 1_000; n++) grow("a", `${n}`, 100);
  const growing = grow("a", "growing");
  for (const bytes of [5_000, 9_000]) await growing.admit(bytes);
  grow("a", "second");
  grow("b", "third");
  await flush();
  assert.equal(admitted.length, 1_003);
});
