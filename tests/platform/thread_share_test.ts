import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { Failure } from "../../src/base/failure.ts";
import { THREAD_SHARE, ThreadShare } from "../../src/platform/thread_share.ts";
import { nextTurn } from "../patience.ts";
import fc from "fast-check";
import { testWith } from "../opened.ts";

const nothing = () => Promise.resolve();

/** A `ThreadShare` with a settable clock, and requests that run until the test ends them. */
function createRequests() {
  const clock = { ms: 0, now: () => clock.ms };
  const share = new ThreadShare(() => clock.now());
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const sent: Promise<void>[] = [];
  return {
    clock,
    share,
    begun,
    /** Sends requests. The first letter of a request's name is its workspace. */
    async send(...names: string[]): Promise<void> {
      for (const name of names) {
        sent.push(share.pass(name.charAt(0), () => {
          begun.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        }));
      }
      await nextTurn();
    },
    async end(...names: string[]): Promise<void> {
      for (const name of names) {
        ends.get(name)?.();
        await nextTurn();
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(sent);
    },
  };
}

const withRequests = testWith(createRequests);

withRequests.test("a single workspace may have 16 requests in work and use all of the time", async (requests) => {
  const names = Array.from({ length: 20 }, (_, n) => `a${n}`);
  await requests.send(...names);
  assertEquals(requests.begun.length, 16);
  for (const name of names) {
    requests.clock.ms += 1_000;
    await requests.end(name);
  }
  assertEquals(requests.begun.length, 20);
});

withRequests.test("a workspace has two requests in work while others work, in the order of sending", async (requests) => {
  await requests.send("b0", "a0", "a1", "a2", "a3");
  assertEquals(requests.begun, ["b0", "a0", "a1"]);
  await requests.send("b1");
  assertEquals(requests.begun.at(-1), "b1", "the flood of a is no reason for b to wait");
  await requests.end("a0");
  assertEquals(requests.begun.at(-1), "a2");
  await requests.end("a1", "a2", "a3", "b0", "b1");
});

withRequests.test("a workspace above its share waits until it is earned, and others do not", async (requests) => {
  await requests.send("b0", "a0");
  await requests.end("b0");
  requests.clock.ms += 1_000;
  await requests.end("a0");
  await requests.send("a1", "b1");
  assertEquals(requests.begun, ["b0", "a0", "b1"]);
  await requests.end("b1");
  // Each of the two workspaces earns 30 % of the time. Workspace `a` has used 1,000 ms. It had 250
  // ms of credit and has earned 300 ms in this time, so it owes 450 ms.
  requests.clock.ms += 1_400;
  await requests.send("b2");
  await requests.end("b2");
  assertEquals(requests.begun.at(-1), "b2");
  requests.clock.ms += 200;
  await requests.send("b3");
  await requests.end("b3");
  assertEquals(requests.begun.slice(-2), ["a1", "b3"]);
  await requests.end("a1");
});

withRequests.test("time during several requests counts for all of their workspaces in equal parts", async (requests) => {
  await requests.send("a0", "b0", "c0", "d0");
  // Each workspace pays a quarter of 1,000 ms and earns 15 % in this time. Its credit covers the
  // difference.
  requests.clock.ms += 1_000;
  await requests.end("a0", "b0", "c0", "d0");
  await requests.send("a1");
  assertEquals(requests.begun.at(-1), "a1");
  await requests.end("a1");
});

withRequests.test("a step of long work waits for its share, goes before requests, and stops waiting after an abort", async (requests) => {
  const { clock, share } = requests;
  await requests.send("b0");
  await share.step("a", () => Promise.resolve(clock.ms += 4_000));
  const order: string[] = [];
  const stopping = new AbortController();
  const step = (signal?: AbortSignal) =>
    share.step("a", () => Promise.resolve(order.push("step")), signal);
  const request = share.pass("a", () => Promise.resolve(order.push("request")));
  const steps = [step(stopping.signal), step()];
  await nextTurn();
  assertEquals(order, []);
  stopping.abort();
  await steps[0];
  assertEquals(order, ["step"]);
  clock.ms += 6_000;
  await requests.end("b0");
  await Promise.all([request, ...steps]);
  assertEquals(order, ["step", "step", "request"]);
});

Deno.test("a flood gets exactly its share of the time while another workspace works", async () => {
  const { clock, share } = createRequests();
  const state = { isOver: false, usedMs: 0 };
  const work = () => {
    clock.ms += 5;
    state.usedMs += 5;
    return Promise.resolve();
  };
  const flood = Array.from({ length: 4 }, async () => {
    while (!state.isOver) await share.pass("flood", work);
  });
  // The quiet workspace calls often but uses little time. The flood does not get the rest of the
  // quiet workspace's share.
  const spanMs = 20_000;
  while (clock.ms < spanMs) {
    clock.ms += 20;
    await share.pass("quiet", nothing);
    await nextTurn();
  }
  state.isOver = true;
  const part = state.usedMs / clock.ms;
  clock.ms += THREAD_SHARE.debtMsMax / THREAD_SHARE.leastPart;
  await share.pass("quiet", nothing);
  await Promise.all(flood);
  // The flood gets half of the shared time, and its initial credit.
  const fairPart = THREAD_SHARE.sharedPart / 2;
  const atFirst = THREAD_SHARE.creditMsMax / spanMs;
  ok(part > fairPart * 0.9 && part < fairPart + atFirst + 0.01, `${part} of the time`);
});

Deno.test("a workspace above its share continues by itself, without another call", async () => {
  const { clock, share } = createRequests();
  await share.pass("b", nothing);
  await share.pass("a", () => Promise.resolve(clock.ms += 400));
  let isDone = false;
  const passing = share.pass("a", nothing).then(() => isDone = true);
  const stepping = share.step("a", nothing);
  await nextTurn();
  assertEquals(isDone, false, "it has to earn it first");
  const goesOnAt = performance.now();
  clock.now = () => clock.ms + performance.now() - goesOnAt;
  await Promise.all([passing, stepping]);
});

withRequests.test("a request beyond the queue limit is refused, and a failing one frees its place", async (requests) => {
  const failing = requests.share.pass("a", () => Promise.reject(new Error("a defect")));
  await rejects(failing, /a defect/);
  const names = Array.from({ length: 2 + THREAD_SHARE.waitingMax }, (_, n) => `a${n}`);
  await requests.send("b0", ...names);
  assertEquals(requests.begun, ["b0", "a0", "a1"]);
  await rejects(
    requests.share.pass("a", nothing),
    (error: unknown) => error instanceof Failure && error.code === "rate_limited",
  );
  await requests.end(...names, "b0");
});

Deno.test("every request is served, and no workspace has more than two in work while others work", async () => {
  const calls = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 60 });
  await fc.assert(fc.asyncProperty(calls, async (workspaces) => {
    await using requests = createRequests();
    await requests.send("z");
    const inWork = new Map<string, number>();
    await Promise.all(workspaces.map((id) =>
      requests.share.pass(id, async () => {
        const count = (inWork.get(id) ?? 0) + 1;
        inWork.set(id, count);
        ok(count <= 2, `${id} has ${count} in work`);
        await Promise.resolve();
        inWork.set(id, inWork.get(id)! - 1);
      })
    ));
    await requests.end("z");
  }));
});
