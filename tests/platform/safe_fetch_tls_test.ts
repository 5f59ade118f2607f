import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { openWire, writeAll } from "../wire_server.ts";

const fixture = (name: string) =>
  Deno.readTextFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));

/**
 * Fetches in a separate process, because Deno reads the trusted certificates when a process starts.
 */
async function saidOf(urls: readonly string[], isTrusted: boolean): Promise<string[]> {
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
  const named = `https://shop.example:${port}/`;
  const other = `https://other.example:${port}/`;
  const literal = `https://127.0.0.1:${port}/`;
  assertEquals(await saidOf([named, `https://shop.example.:${port}/`, literal, other], true), [
    "200 page",
    "200 page",
    "200 page",
    `"other.example:${port}" has no valid certificate`,
  ]);
  assertEquals(await saidOf([named], false), [`"shop.example:${port}" has no valid certificate`]);
  assertEquals(server.requests.map((request) => request.split("\r\n")[1]), [
    `Host: shop.example:${port}`,
    `Host: shop.example.:${port}`,
    `Host: 127.0.0.1:${port}`,
  ]);
});
