/** Workspaces share one thread: who floods it waits for himself. */
import { deepStrictEqual as assertEquals, ok, rejects } from "node:assert/strict";
import { Failure } from "../../src/base/failure.ts";
import { THREAD_SHARE_LIMITS, ThreadShare } from "../../src/platform/thread_share.ts";
import { nextTurn } from "../patience.ts";
import fc from "fast-check";

const LIMITS = {
  ...THREAD_SHARE_LIMITS,
  aloneAtOnce: 100,
  besideAtOnce: 2,
  sharedPart: 0.8,
  waitingMax: 10,
};

/** A clock that a test sets. */
function createClock() {
  const clock = { ms: 0, now: () => clock.ms };
  return clock;
}

/** Requests that end when a test says so. */
function createRequests(share: ThreadShare) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    async send(workspace: string, name: string): Promise<void> {
      await share.pass(workspace, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    },
    async end(...names: string[]): Promise<void> {
      for (const name of names) {
        ends.get(name)?.();
        await nextTurn();
      }
    },
  };
}

Deno.test("a workspace that is alone has many requests in work at once, and not more", async () => {
  const requests = createRequests(new ThreadShare(LIMITS, createClock().now));
  const names = Array.from({ length: 105 }, (_, n) => `a${n}`);
  const sent = names.map((name) => requests.send("a", name));
  await nextTurn();
  assertEquals(requests.begun.length, 100);
  await requests.end(...names);
  await Promise.all(sent);
});

Deno.test("a workspace that is alone may use all of the time", async () => {
  const clock = createClock();
  const requests = createRequests(new ThreadShare(LIMITS, clock.now));
  for (let n = 0; n < 20; n++) {
    const sent = requests.send("a", `a${n}`);
    await nextTurn();
    clock.ms += 1_000;
    await requests.end(`a${n}`);
    await sent;
  }
  assertEquals(requests.begun.length, 20);
});

Deno.test("beside others a workspace has two requests in work, in the order of sending", async () => {
  const requests = createRequests(new ThreadShare(LIMITS, createClock().now));
  const sent = [requests.send("b", "b0")];
  for (let n = 0; n < 5; n++) sent.push(requests.send("a", `a${n}`));
  await nextTurn();
  assertEquals(requests.begun, ["b0", "a0", "a1"]);
  sent.push(requests.send("b", "b1"));
  await nextTurn();
  assertEquals(requests.begun.at(-1), "b1", "the flood of a is no reason for b to wait");
  await requests.end("a0");
  assertEquals(requests.begun.at(-1), "a2");
  await requests.end("a1", "a2", "a3", "a4", "b0", "b1");
  await Promise.all(sent);
});

Deno.test("who has used more than a share waits until it is earned, and others do not", async () => {
  const clock = createClock();
  const share = new ThreadShare(LIMITS, clock.now);
  const requests = createRequests(share);
  const present = requests.send("b", "b0");
  const dear = requests.send("a", "a0");
  await nextTurn();
  await requests.end("b0");
  await present;
  clock.ms += 1_000;
  await requests.end("a0");
  await dear;
  const late = requests.send("a", "a1");
  const entering = share.enter("a");
  const quick = requests.send("b", "b1");
  await nextTurn();
  assertEquals(requests.begun, ["b0", "a0", "b1"]);
  await requests.end("b1");
  await quick;
  // Of two, each earns 40 % of the time: 1,000 ms less the 250 at hand and the 400 earned meanwhile.
  clock.ms += 900;
  const looked = requests.send("b", "b2");
  await nextTurn();
  await requests.end("b2");
  await looked;
  assertEquals(requests.begun.slice(-2), ["b2", "a1"]);
  await entering;
  await requests.end("a1");
  await late;
});

Deno.test("what passes while several work is used by all of them, in equal parts", async () => {
  const clock = createClock();
  const share = new ThreadShare(LIMITS, clock.now);
  const requests = createRequests(share);
  const sent = ["a", "b", "c", "d"].map((id) => requests.send(id, `${id}0`));
  await nextTurn();
  // A quarter of 1,000 ms each, of which a fifth is earned meanwhile: nobody owes anything.
  clock.ms += 1_000;
  await requests.end("a0", "b0", "c0", "d0");
  await Promise.all(sent);
  const again = requests.send("a", "a1");
  await nextTurn();
  assertEquals(requests.begun.at(-1), "a1");
  await requests.end("a1");
  await again;
});

Deno.test("a step of long work waits for the share, goes before requests, and waits no more after an abort", async () => {
  const clock = createClock();
  const share = new ThreadShare(LIMITS, clock.now);
  const requests = createRequests(share);
  const present = requests.send("b", "b0");
  await nextTurn();
  await share.step("a", () => {
    clock.ms += 4_000;
    return Promise.resolve();
  });
  const order: string[] = [];
  const stopping = new AbortController();
  const step = share.step("a", () => Promise.resolve(order.push("step")), stopping.signal);
  const request = share.pass("a", () => Promise.resolve(order.push("request")));
  await nextTurn();
  assertEquals(order, []);
  stopping.abort();
  await step;
  assertEquals(order, ["step"]);
  clock.ms += 5_000;
  await requests.end("b0");
  await present;
  await request;
  assertEquals(order, ["step", "request"]);
});

Deno.test("a flood beside somebody else has its part of the time and no more", async () => {
  const clock = createClock();
  const share = new ThreadShare(THREAD_SHARE_LIMITS, clock.now);
  const state = { isOver: false, usedMs: 0 };
  const work = () => {
    clock.ms += 5;
    state.usedMs += 5;
    return Promise.resolve();
  };
  const flood = Array.from({ length: 4 }, async () => {
    while (!state.isOver) await share.pass("flood", work);
  });
  // The other one calls now and then, and leaves its own part of the time to nobody.
  const spanMs = 20_000;
  while (clock.ms < spanMs) {
    clock.ms += 20;
    await share.pass("quiet", () => Promise.resolve());
    await nextTurn();
  }
  state.isOver = true;
  const part = state.usedMs / clock.ms;
  clock.ms += THREAD_SHARE_LIMITS.debtMsMax / THREAD_SHARE_LIMITS.leastPart;
  await share.pass("quiet", () => Promise.resolve());
  await Promise.all(flood);
  // Half of what workspaces share, and what it might use at once at first.
  const fairPart = THREAD_SHARE_LIMITS.sharedPart / 2;
  const atFirst = THREAD_SHARE_LIMITS.creditMsMax / spanMs;
  ok(part > fairPart * 0.9 && part < fairPart + atFirst + 0.01, `${part} of the time`);
});

Deno.test("who has used too much goes on by itself, without anybody else's call", async () => {
  const clock = createClock();
  const limits = { ...LIMITS, creditMsMax: 20, presentMs: Infinity };
  const share = new ThreadShare(limits, () => clock.now());
  await share.pass("b", () => Promise.resolve());
  await share.pass("a", () => {
    clock.ms += 100;
    return Promise.resolve();
  });
  let isEntered = false;
  const entering = share.enter("a").then(() => isEntered = true);
  const stepping = share.step("a", () => Promise.resolve());
  await nextTurn();
  assertEquals(isEntered, false, "it has to earn it first");
  const goesOnAt = performance.now();
  clock.now = () => clock.ms + performance.now() - goesOnAt;
  await Promise.all([entering, stepping, share.pass("a", () => Promise.resolve())]);
});

Deno.test("a request too many is refused, and a failing one gives its place back", async () => {
  const share = new ThreadShare({ ...LIMITS, besideAtOnce: 1 }, createClock().now);
  const requests = createRequests(share);
  const other = requests.send("b", "b0");
  const gate = Promise.withResolvers<void>();
  const first = share.pass("a", () => gate.promise);
  const names = Array.from({ length: 10 }, (_, n) => `a${n}`);
  const waiting = names.map((name) => requests.send("a", name));
  await rejects(
    requests.send("a", "one too many"),
    (error: unknown) => error instanceof Failure && error.code === "rate_limited",
  );
  gate.reject(new Error("a defect"));
  await rejects(first, /a defect/);
  await nextTurn();
  await requests.end(...names, "b0");
  await Promise.all([other, ...waiting]);
});

Deno.test("every request gets its turn, and no workspace has more than two in work beside others", async () => {
  const calls = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 60 });
  await fc.assert(fc.asyncProperty(calls, async (workspaces) => {
    const share = new ThreadShare({ ...LIMITS, waitingMax: 100 }, () => 0);
    const inWork = new Map<string, number>();
    let done = 0;
    const anchor = Promise.withResolvers<void>();
    const present = share.pass("anchor", () => anchor.promise);
    await Promise.all(workspaces.map((id) =>
      share.pass(id, async () => {
        const count = (inWork.get(id) ?? 0) + 1;
        inWork.set(id, count);
        if (count > LIMITS.besideAtOnce) throw new Error(`${id} has ${count} in work`);
        await Promise.resolve();
        inWork.set(id, inWork.get(id)! - 1);
        done++;
      })
    ));
    assertEquals(done, workspaces.length);
    anchor.resolve();
    await present;
  }));
});
