/** A minimal server that answers `/<n>` with `n` bytes. Its first line of output is its port. */
import { stdout } from "node:process";
import { Hono } from "hono";

const app = new Hono();
app.get("/:bytes", (c) => {
  const body = new Uint8Array(Number(c.req.param("bytes"))).fill(32);
  return c.body(body, 200, { "Content-Type": "application/json" });
});
Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen: ({ port }) => stdout.write(`${port}\n`) },
  app.fetch,
);
