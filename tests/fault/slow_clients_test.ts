import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { statusOf } from "../api/answers.ts";
import { startTestApp, type TestApp, withApp } from "../harness.ts";
import { importXml, itemsXml } from "../imports/import_calls.ts";
import { PATIENCE_MS, readUntil } from "../patience.ts";
import { extent } from "../proof.ts";
import { connectTo, readToEnd, sendOn } from "../raw_http.ts";

const encoder = new TextEncoder();

const requestOf = ({ ownerCookie }: TestApp, method: string, path: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: kurant\r\nCookie: ${ownerCookie}\r\n`;

Deno.test("a client that drips its body is served, and one that hangs up leaves nothing behind", async () => {
  await using app = await startTestApp({ env: { REQUEST_BODY_TIMEOUT_MS: String(PATIENCE_MS) } });
  const body = JSON.stringify({ sku: "DRIP", title: "x".repeat(400) });
  const head = (length: number) =>
    requestOf(app, "POST", "/api/products") +
    `Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const dripping = await connectTo(app.base);
  await dripping.write(encoder.encode(head(body.length)));
  for (let at = 0; at < body.length; at += 20) {
    await dripping.write(encoder.encode(body.slice(at, at + 20)));
    await statusOf(app.anyone.get("/healthz"));
  }
  match(await readToEnd(dripping), /^HTTP\/1\.1 201 /);
  const leaving = await connectTo(app.base);
  await leaving.write(encoder.encode(head(1_000) + '{"sku":"GONE","title":"t"}'));
  leaving.close();
  assertEquals((await app.owner.read("/api/products")).count, 1);
});

Deno.test("a client that hangs up in its body does not count as an error in the metrics", async () => {
  await using app = await startTestApp({ env: { METRICS_TOKEN: "figures" } });
  const framings = ["Content-Length: 1000\r\n\r\n{", "Transfer-Encoding: chunked\r\n\r\n1\r\n{"];
  const uploads = [["/api/products", "application/json"], ["/api/imports", "application/xml"]];
  for (const [path = "", type] of uploads) {
    for (const framing of framings) {
      const connection = await connectTo(app.base);
      const body = `Content-Type: ${type}\r\n${framing}`;
      await connection.write(encoder.encode(requestOf(app, "POST", path) + body));
      connection.close();
    }
  }
  const counted = /kurant_http_requests_total\{method="POST",status="(\d+)"\} (\d+)/g;
  const read = async () => {
    const figures = await app.anyone.get("/metrics", { Authorization: "Bearer figures" });
    const found = (await figures.text()).matchAll(counted);
    return Array.from(found, ([, status, count]) => ({ status, count: Number(count) }));
  };
  const isAllOf4 = (posts: Awaited<ReturnType<typeof read>>) =>
    posts.reduce((sum, { count }) => sum + count, 0) === 4;
  const posts = await readUntil("all four are counted", read, isAllOf4);
  assertEquals(posts, [{ status: "408", count: 4 }]);
});

withApp.test("clients that do not read their responses delay no other request", async (app) => {
  const skus = Array.from({ length: 200 }, (_, n) => `S${n}`);
  const file = itemsXml(
    skus.map((sku) => ({ sku, title: "x".repeat(400), more: `<BRAND>${"y".repeat(200)}</BRAND>` })),
  );
  const sent = await importXml(await app.key(["products:write"]), file);
  assertEquals(sent.data.stats.inserted, skus.length);
  const request = `${requestOf(app, "GET", "/api/products?limit=200")}\r\n`.repeat(20);
  const deaf = await Promise.all(Array.from({ length: extent(50, 10) }, async () => {
    const connection = await connectTo(app.base);
    await sendOn(connection, request);
    return connection;
  }));
  for (let n = 0; n < extent(20, 5); n++) {
    assertEquals((await app.owner.read("/api/products?limit=200")).count, 200);
  }
  for (const connection of deaf) connection.close();
});
