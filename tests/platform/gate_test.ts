import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";
import { DrainGate } from "../../src/platform/http/http_app.ts";

Deno.test("closing a gate waits for everything inside, even if it fails", async () => {
  const drainGate = new DrainGate();
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  const answers = [
    drainGate.pass(() => first.promise),
    drainGate.pass(() => second.promise),
  ] as const;
  let isEmpty = false;
  const emptied = drainGate.close().then(() => isEmpty = true);
  assertEquals(drainGate.isClosed, true);
  first.resolve("done");
  assertEquals(await answers[0], "done");
  assertEquals(isEmpty, false);
  second.reject(new Error("broken"));
  await rejects(answers[1], /broken/);
  await emptied;
});

Deno.test("a request counts as inside until its response is sent", async () => {
  const drainGate = new DrainGate();
  const sent = Promise.withResolvers<void>();
  assertEquals(await drainGate.pass(() => Promise.resolve("answer"), sent.promise), "answer");
  let isEmpty = false;
  const emptied = drainGate.close().then(() => isEmpty = true);
  await Promise.resolve();
  assertEquals(isEmpty, false);
  sent.reject(new Error("the client went away"));
  await emptied;
});

Deno.test("closing an empty gate resolves at once", async () => {
  const drainGate = new DrainGate();
  await drainGate.pass(() => Promise.resolve());
  await drainGate.close();
});
