import { Turns } from "../../../src/scraping/page/turns.ts";
import { PATIENCE_MS } from "../../patience.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const NEVER = new AbortController().signal;
const ticketOf = (id: string, lane: 0 | 1, orderMs: number) => ({
  domain: "shop.example",
  lane,
  orderMs,
  id,
});

/** Waits, and says who it was when it rang. */
async function listen(turns: Turns, ticket: ReturnType<typeof ticketOf>, signal = NEVER) {
  return [ticket.id, await turns.wait(ticket, PATIENCE_MS, signal)];
}

Deno.test("a bell wakes one at a time, those that people asked for first, then the oldest", async () => {
  const turns = new Turns();
  const woken: string[] = [];
  const all = [ticketOf("c", 1, 5), ticketOf("b", 1, 2), ticketOf("a", 0, 9), ticketOf("d", 1, 5)];
  const waiting = all.map(async (ticket) => {
    const [id = "", how = ""] = await listen(turns, ticket);
    woken.push(`${id} ${how}`);
  });
  assertEquals(turns.countBefore(ticketOf("x", 1, 5)), 4);
  assertEquals(turns.countBefore(ticketOf("x", 0, 0)), 0);
  for (let n = 1; n <= all.length; n++) {
    turns.ring("other.example");
    turns.ring("shop.example");
    while (woken.length < n) await Promise.resolve();
  }
  await Promise.all(waiting);
  assertEquals(woken, ["a rang", "b rang", "c rang", "d rang"]);
});

Deno.test("a bell that rang for nobody wakes nobody later", async () => {
  const turns = new Turns();
  turns.ring("shop.example");
  assertEquals(await turns.wait(ticketOf("a", 0, 1), 1, NEVER), "over");
});

Deno.test("a bell takes eight who wait for a domain, and lets them go when the process stops", async () => {
  const turns = new Turns();
  const stop = new AbortController();
  const waiting = Array.from(
    { length: 8 },
    (_, n) => listen(turns, ticketOf(`${n}`, 1, n), stop.signal),
  );
  assertEquals((await listen(turns, ticketOf("x", 0, 0)))[1], "full");
  stop.abort();
  assertEquals((await Promise.all(waiting)).map(([, how]) => how), Array(8).fill("over"));
  assertEquals((await listen(turns, ticketOf("x", 0, 0), stop.signal))[1], "over");
  assertEquals(turns.countBefore(ticketOf("x", 1, 99)), 0);
});
