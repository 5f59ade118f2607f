import type { SafeFetchSetup } from "../../src/platform/fetch/safe_fetch.ts";
import { resolveBySystem } from "../../src/platform/fetch/fetch_limits.ts";
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
import { openWire, writeAll } from "../wire_server.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";

Deno.test("safeFetch() decodes every encoding that it asks for, and refuses others", async () => {
  const text = "<p>Kühlschrank</p>".repeat(1_000);
  const names = ["gzip", "deflate", "deflate-raw", "br"] as const;
  const pages = Object.fromEntries(names.map((name) => [`/${name}`, encoded(name, text)]));
  await using shop = openShop({
    ...pages,
    "/unknown": () => html("x", { "Content-Encoding": "zstd" }),
    "/broken": () => html("no gzip at all", { "Content-Encoding": "gzip" }),
  });
  for (const name of names) assertEquals(await fetchText(`${shop.base}/${name}`), `200 ${text}`);
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
  const headers = { "Content-Encoding": "gzip" };
  await using shop = openShop({
    "/long": () => new Response(body, { headers }),
    "/error": () => new Response(body, { headers, status: 503 }),
    "/broken": () => new Response(body.subarray(0, 60_000), { headers }),
  });
  const cut = { onTooLarge: "cut", bytesMax: 500_000 } as const;
  assertEquals(await fetchText(`${shop.base}/long`), `200 ${text}`);
  const long = await fetchText(`${shop.base}/long`, cut);
  ok(long.length > 300_000 && `200 ${text}`.startsWith(long), String(long.length));
  const error = await fetchText(`${shop.base}/error`);
  ok(error.length > 40_000 && `503 ${text}`.startsWith(error), String(error.length));
  // A response that the server breaks off is an error, even if the request allows a cut body.
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
  ok(result.kind === "answer");
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

Deno.test("resolveBySystem() resolves the names of this machine", async () => {
  ok((await resolveBySystem("localhost")).includes("127.0.0.1"));
});

Deno.test("safeFetch() gives dns_error for a name without an address", async () => {
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

/** The address of a public shop. Tests connect to the local machine instead. */
const PUBLIC = "198.51.100.10";
const DEAD_ENDS = new Set(["private_address", "redirect_refused", "unreachable"]);

/** Records every connection. A connection to any address but the shop's is a leak. */
function guardedBy(row: HostileRow, shop: Shop, dialled: string[]): Partial<SafeFetchSetup> {
  let asked = 0;
  return {
    allowed: allowing(`${PUBLIC}/32`),
    ports: new Set([80, 443, 8080, 8443]),
    resolve: (name) => {
      if (name === "cname.hostile.example") return Promise.resolve(["127.0.0.1"]);
      const answers = row.dns ?? [[PUBLIC]];
      return Promise.resolve(answers[Math.min(asked++, answers.length - 1)]!);
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
    ok(rows.length > (data.isOwn ? 35 : 75));
    for (const row of rows) {
      const page = row.location === undefined ? () => html("secret") : redirect(row.location);
      const path = row.stage === "redirect" ? new URL(row.url).pathname : "/";
      await using shop = openShop({ [path]: page, "/loop": page });
      const dialled: string[] = [];
      const said = await fetchText(row.url, {}, guardedBy(row, shop, dialled));
      const elsewhere = dialled.filter((peer) => peer !== `${PUBLIC}:80`);
      if (row.must === "blocked" && !row.why.startsWith("first DNS answer")) {
        ok(DEAD_ENDS.has(said), `${row.url}: ${said}`);
        assertEquals(elsewhere, [], row.url);
        if (row.stage !== "redirect") assertEquals(dialled, [], row.url);
      }
      if (row.must === "allowed") ok(dialled.length > 0, row.url);
    }
  },
);

Deno.test("safeFetch() connects to the checked address, and resolves a name once", async () => {
  await using shop = openShop({ "/": () => html("shop") });
  const answers = [[PUBLIC], ["127.0.0.1"]];
  const dialled: string[] = [];
  const said = await fetchText("http://rebind.hostile.example/", {}, {
    allowed: allowing(`${PUBLIC}/32`),
    resolve: () => Promise.resolve(answers.shift()!),
    dial: (address) => {
      dialled.push(address);
      return { address: "127.0.0.1", port: shop.port };
    },
  });
  assertEquals([said, dialled, answers.length], ["200 shop", [PUBLIC], 1]);
});

const fixture = (name: string) =>
  Deno.readTextFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));

/**
 * Fetches in a separate process, because Deno reads the trusted certificates when a process starts.
 */
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
