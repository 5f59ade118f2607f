/** The least that a server of this kind can be: one route with 2 kB of JSON that never change. */
import { stdout } from "node:process";
import { Hono } from "hono";

const document = { data: "x".repeat(2_000) };
const app = new Hono().get("/", (c) => c.json(document));
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => void stdout.write(`${port}\n`),
}, app.fetch);
