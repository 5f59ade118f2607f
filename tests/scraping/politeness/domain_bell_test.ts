import { DomainBell } from "../../../src/scraping/page/domain_queue.ts";
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
async function listen(bell: DomainBell, ticket: ReturnType<typeof ticketOf>, signal = NEVER) {
  return [ticket.id, await bell.wait(ticket, PATIENCE_MS, signal)];
}

Deno.test("a bell wakes one at a time, those that people asked for first, then the oldest", async () => {
  const bell = new DomainBell();
  const woken: string[] = [];
  const all = [ticketOf("c", 1, 5), ticketOf("b", 1, 2), ticketOf("a", 0, 9), ticketOf("d", 1, 5)];
  const waiting = all.map(async (ticket) => {
    const [id = "", how = ""] = await listen(bell, ticket);
    woken.push(`${id} ${how}`);
  });
  assertEquals(bell.countBefore(ticketOf("x", 1, 5)), 4);
  assertEquals(bell.countBefore(ticketOf("x", 0, 0)), 0);
  for (let n = 1; n <= all.length; n++) {
    bell.ring("other.example");
    bell.ring("shop.example");
    while (woken.length < n) await Promise.resolve();
  }
  await Promise.all(waiting);
  assertEquals(woken, ["a rang", "b rang", "c rang", "d rang"]);
});

Deno.test("a bell that rang for nobody wakes nobody later", async () => {
  const bell = new DomainBell();
  bell.ring("shop.example");
  assertEquals(await bell.wait(ticketOf("a", 0, 1), 1, NEVER), "over");
});

Deno.test("a bell takes eight who wait for a domain, and lets them go when the process stops", async () => {
  const bell = new DomainBell();
  const stop = new AbortController();
  const waiting = Array.from(
    { length: 8 },
    (_, n) => listen(bell, ticketOf(`${n}`, 1, n), stop.signal),
  );
  assertEquals((await listen(bell, ticketOf("x", 0, 0)))[1], "full");
  stop.abort();
  assertEquals((await Promise.all(waiting)).map(([, how]) => how), Array(8).fill("over"));
  assertEquals((await listen(bell, ticketOf("x", 0, 0), stop.signal))[1], "over");
  assertEquals(bell.countBefore(ticketOf("x", 1, 99)), 0);
});
