import { Failure, TooComplex } from "../../../src/base/failure.ts";
import { roomLog } from "../../../src/platform/log.ts";
import { canEndWork, Sandbox, withinTime } from "../../../src/platform/sandbox/sandbox.ts";
import { keepLog } from "../../kept_log.ts";
import { nextTurn } from "../../patience.ts";
import type { OddJob } from "./odd_worker.ts";
import { deepStrictEqual as assertEquals, match, ok, rejects, throws } from "node:assert/strict";
import { testWith } from "../../opened.ts";

/** Normal work stays below this limit, even on a busy machine. */
const LIMIT_MS = 1_500;
const ENDLESS_MS = 500;

type Permit = Parameters<Sandbox["run"]>[1];

function openSandbox(module = "./odd_worker.ts", limitMs = LIMIT_MS) {
  const sandbox = new Sandbox({
    module: new URL(module, import.meta.url),
    limitMs,
    log: roomLog("sandbox"),
  });
  return {
    sandbox,
    ask: (job: OddJob, permit: Partial<Permit> = {}) =>
      sandbox.run<unknown>(job, { partition: "a", ...permit }, () => "in process"),
    [Symbol.dispose]: () => sandbox[Symbol.dispose](),
  };
}

const sum = (n: number): OddJob => ({ do: "add", one: n, other: 1 });

const withSandbox = testWith(openSandbox);

withSandbox.test("a sandbox gives parallel callers their own results", async (odd) => {
  const asked = Array.from(
    { length: 100 },
    (_, n) => odd.ask(sum(n), { partition: `partition ${n % 7}` }),
  );
  assertEquals(await Promise.all(asked), asked.map((_, n) => n + 1));
});

withSandbox.test("a job in a sandbox cannot use files, network, environment or programs", async (odd) => {
  assertEquals(await odd.ask({ do: "touch" }), Array(5).fill("NotCapable"));
});

for (const what of ["loop", "backtrack", "swallow", "recurse"] as const) {
  withSandbox.test(`an endless job fails as too complex, and the event loop stays free: ${what}`, async (odd) => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 10);
    try {
      await rejects(odd.ask({ do: what }, { limitMs: ENDLESS_MS }), TooComplex);
    } finally {
      clearInterval(timer);
    }
    if (what !== "recurse") ok(ticks > 5, `${ticks} ticks`);
    assertEquals(await odd.ask(sum(1)), 2);
  });
}

Deno.test("a job can set its own time limit, shorter or longer than others", async () => {
  // On a busy machine, the sandbox tries again with up to four times the limit.
  using long = openSandbox("./odd_worker.ts", 600_000);
  await rejects(long.ask({ do: "loop" }, { limitMs: 50 }), /longer than (?:[5-9]\d|1\d\d|200) ms/);
  using short = openSandbox("./odd_worker.ts", 50);
  await rejects(
    short.ask({ do: "loop" }, { limitMs: 300 }),
    /longer than (?:[3-9]\d\d|1[01]\d\d|1200) ms/,
  );
});

withSandbox.test("a job that exceeds its own budget fails as too complex, but one with a defect or without a copy does not", async (odd) => {
  await rejects(odd.ask({ do: "give up" }), /The budget is used up/);
  await rejects(odd.ask({ do: "break" }), (error) => {
    ok(error instanceof Error && !(error instanceof TooComplex));
    return /TypeError: a defect/.test(error.message);
  });
  const uncopied = odd.sandbox.run(() => {}, { partition: "a" }, () => null);
  await rejects(uncopied, (error) => !(error instanceof TooComplex));
  assertEquals(await odd.ask(sum(1)), 2);
});

withSandbox.test("a Worker that dies is started again", async (odd) => {
  assertEquals(await odd.ask({ do: "die" }), "about to die");
  // The Worker may die during this job, which then fails as too complex.
  const next = odd.ask({ do: "loop" }, { limitMs: ENDLESS_MS });
  await next.catch((error) => ok(error instanceof TooComplex));
  assertEquals(await odd.ask(sum(1)), 2);
});

withSandbox.test("a job that got little processor time runs once more with a longer limit", async (odd) => {
  const sleep = (ms: number, busyMs = 0) =>
    odd.ask({ do: "sleep", ms, busyMs }, { limitMs: ENDLESS_MS });
  assertEquals(await sleep(2 * ENDLESS_MS), "timed-out");
  await rejects(sleep(20 * ENDLESS_MS), /longer than 2000 ms/);
  // The first try got a third of the CPU time, so the second may take three times as long.
  assertEquals(await sleep(ENDLESS_MS, ENDLESS_MS / 3), "timed-out");
  assertEquals(await odd.ask(sum(1)), 2);
});

withSandbox.test("an abort ends the wait for a job that is queued or running", async (odd) => {
  await odd.ask(sum(1));
  const giveUp = new AbortController();
  const loop = () => odd.ask({ do: "loop" }, { signal: giveUp.signal, limitMs: ENDLESS_MS });
  const jobs = [loop(), loop()];
  giveUp.abort(new Error("not wanted any more"));
  for (const job of jobs) await rejects(job, /not wanted any more/);
  await rejects(loop(), /not wanted any more/);
  assertEquals(await odd.ask(sum(1)), 2);
});

withSandbox.test("jobs beyond a caller's limit are refused, and other callers are served", async (odd) => {
  const jobs = Array.from({ length: 6 }, (_, n) => odd.ask(sum(n), { waitingMax: 3 }));
  const settled = await Promise.allSettled([...jobs, odd.ask(sum(9), { partition: "b" })]);
  const shown = settled.map((one) => one.status === "fulfilled" ? one.value : one.reason.code);
  // One job runs and three wait; this caller's other two are refused.
  assertEquals(shown, [1, 2, 3, 4, "unavailable", "unavailable", 10]);
});

Deno.test("a closed sandbox refuses waiting jobs and gives up the running one", async () => {
  // A running job continues after the sandbox is closed, at most until this limit.
  const odd = openSandbox("./odd_worker.ts", LIMIT_MS);
  await odd.ask(sum(1));
  const jobs = [odd.ask({ do: "backtrack" }), odd.ask(sum(1))];
  const settled = Promise.allSettled(jobs);
  // The first job starts in the next turn of the event loop.
  await nextTurn();
  odd.sandbox[Symbol.dispose]();
  const reasons = (await settled).map((one) => one.status === "rejected" && one.reason);
  ok(reasons[0] instanceof TooComplex && reasons[1] instanceof Failure);
  assertEquals(reasons[0].message, "The sandbox is closed");
  await rejects(odd.ask(sum(1)), Failure);
});

Deno.test("a sandbox that is closed while its Worker starts leaves no caller waiting", async () => {
  for (const module of ["./odd_worker.ts", "./no_such_worker.ts"]) {
    const odd = openSandbox(module);
    const settled = Promise.allSettled([odd.ask(sum(1)), odd.ask(sum(2))]);
    odd.sandbox[Symbol.dispose]();
    assertEquals((await settled).map(({ status }) => status), ["rejected", "rejected"]);
  }
});

Deno.test("without Workers, the first job logs one warning, and jobs run in-process", async () => {
  using log = keepLog();
  using odd = openSandbox("./no_such_worker.ts");
  assertEquals(await odd.ask({ do: "loop" }), "in process");
  assertEquals(await odd.ask({ do: "loop" }), "in process");
  assertEquals(log.lines().length, 1);
  match(log.text(), /are read in this process and may block it/);
});

Deno.test("withinTime() returns the result of the work, or throws its error", () => {
  ok(canEndWork());
  assertEquals(withinTime(1_000, () => "done"), "done");
  assertEquals(withinTime(1_000, () => undefined), undefined);
  const fail = () => {
    throw new RangeError("own");
  };
  throws(() => withinTime(1_000, fail), RangeError);
});
