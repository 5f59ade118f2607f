import { Failure } from "../../src/base/failure.ts";
import { eachApart } from "../../src/platform/jobs/work_loop.ts";
import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";

Deno.test("eachApart() continues after a failure, and stops when the store is not writable", async () => {
  const done: number[] = [];
  const work = (refusal: Error) => (n: number) => {
    if (n === 2) return Promise.reject(refusal);
    done.push(n);
    return Promise.resolve();
  };
  await eachApart("test", [1, 2, 3], work(new Error("poison")));
  assertEquals(done, [1, 3]);
  const away = new Failure("unavailable", "The store is away");
  await rejects(eachApart("test", [1, 2, 3], work(away)), away);
  assertEquals(done, [1, 3, 1]);
});
