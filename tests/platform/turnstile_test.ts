/** Requests of several workspaces wait for themselves, not for each other. */
import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";
import fc from "fast-check";
import { Failure } from "../../src/base/failure.ts";
import { createTurnstile, type Turnstile } from "../../src/platform/turnstile.ts";

const LIMITS = { alone: 100, shared: 8, least: 2, waitingMax: 10, presentMs: 1_000 };

/** Requests that end when a test says so. */
function createRequests(turnstile: Turnstile) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
  return {
    begun,
    settle,
    send(workspace: string, name: string): Promise<void> {
      return turnstile.pass(workspace, () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.();
      await settle();
    },
  };
}

Deno.test("a workspace that is alone has many requests in work at once, and not more", async () => {
  const requests = createRequests(createTurnstile(LIMITS, () => 0));
  const sent = Array.from({ length: 105 }, (_, n) => requests.send("a", `a${n}`));
  await requests.settle();
  assertEquals(requests.begun.length, 100);
  for (let n = 0; n < 105; n++) await requests.end(`a${n}`);
  await Promise.all(sent);
});

Deno.test("beside others a workspace has its share in work, in the order of sending", async () => {
  const requests = createRequests(createTurnstile(LIMITS, () => 0));
  const sent = [requests.send("b", "b0")];
  for (let n = 0; n < 6; n++) sent.push(requests.send("a", `a${n}`));
  await requests.settle();
  assertEquals(requests.begun, ["b0", "a0", "a1", "a2", "a3"]);
  sent.push(requests.send("b", "b1"));
  await requests.settle();
  assertEquals(requests.begun.at(-1), "b1", "the flood of a is no reason for b to wait");
  await requests.end("a0");
  assertEquals(requests.begun.at(-1), "a4");
  for (const name of ["a1", "a2", "a3", "a4", "a5", "b0", "b1"]) await requests.end(name);
  await Promise.all(sent);
});

Deno.test("a workspace that has gone takes no share any more", async () => {
  let nowMs = 0;
  const requests = createRequests(createTurnstile(LIMITS, () => nowMs));
  const gone = requests.send("b", "b0");
  await requests.settle();
  await requests.end("b0");
  await gone;
  nowMs = 1_001;
  const sent = Array.from({ length: 20 }, (_, n) => requests.send("a", `a${n}`));
  await requests.settle();
  assertEquals(requests.begun.length, 21);
  for (let n = 0; n < 20; n++) await requests.end(`a${n}`);
  await Promise.all(sent);
});

Deno.test("a request too many is refused, and a failing one gives its turn back", async () => {
  const turnstile = createTurnstile({ ...LIMITS, shared: 2, least: 1 }, () => 0);
  const requests = createRequests(turnstile);
  const other = requests.send("b", "b0");
  const gate = Promise.withResolvers<void>();
  const first = turnstile.pass("a", () => gate.promise);
  const waiting = Array.from({ length: 10 }, (_, n) => requests.send("a", `a${n}`));
  await rejects(
    requests.send("a", "one too many"),
    (error: unknown) => error instanceof Failure && error.code === "rate_limited",
  );
  gate.reject(new Error("a defect"));
  await rejects(first, /a defect/);
  for (let n = 0; n < 10; n++) await requests.end(`a${n}`);
  await requests.end("b0");
  await Promise.all([other, ...waiting]);
});

Deno.test("every request gets its turn, and no share is exceeded while others are there", async () => {
  const calls = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 60 });
  await fc.assert(fc.asyncProperty(calls, async (workspaces) => {
    const turnstile = createTurnstile({ ...LIMITS, waitingMax: 100 }, () => 0);
    const inWork = new Map<string, number>();
    let done = 0;
    const anchor = Promise.withResolvers<void>();
    const present = turnstile.pass("anchor", () => anchor.promise);
    await Promise.all(workspaces.map((id) =>
      turnstile.pass(id, async () => {
        const count = (inWork.get(id) ?? 0) + 1;
        inWork.set(id, count);
        if (count > LIMITS.shared / 2) throw new Error(`${id} has ${count} in work`);
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
