import { deepStrictEqual as assertEquals, ok, rejects, throws } from "node:assert/strict";
import { onCommitted, transact } from "../../src/platform/store/kv.ts";
import { listBytes } from "../../src/platform/store/rows.ts";
import { LoanEnded, StoreLoan } from "../../src/platform/store/store_loan.ts";
import { openStore } from "../../src/platform/store/open_store.ts";
import { inFolder } from "../temporary_folder.ts";

inFolder.test("a lent store reads and commits until the loan ends, and nothing after that", async (folder) => {
  const whole = await openStore({ kvUrl: null, dataDir: folder.path }, 5_000);
  const loan = new StoreLoan(whole);
  const { store } = loan;
  let heard = 0;
  const end = onCommitted(whole, "topic", () => heard++);
  const put = (n: number) =>
    transact({ store }, (write) => {
      write.set(["row", new Uint8Array([n])], new Uint8Array([n]));
      write.notify("topic");
    });
  await put(1);
  await put(2);
  // A commit through the loan also notifies the listeners of the original store.
  assertEquals(heard, 2);
  assertEquals((await listBytes(store, ["row"], null, 10)).length, 2);
  const rows = store.kv.list({ prefix: ["row"] }, { batchSize: 1 });
  ok(!(await rows.next()).done);

  await loan.endBehind(new Promise(() => {}), 0);
  throws(() => store.kv.get(["row"]), LoanEnded);
  throws(() => rows.next(), LoanEnded);
  await rejects(put(3), LoanEnded);
  await rejects(listBytes(store, ["row"], null, 10), LoanEnded);
  throws(() => store.kv.list({ prefix: ["row"] }), LoanEnded);

  assertEquals((await Array.fromAsync(whole.kv.list({ prefix: ["row"] }))).length, 2);
  end();
  whole.kv.close();
});

inFolder.test("a loan continues if the work ended by itself", async (folder) => {
  const whole = await openStore({ kvUrl: null, dataDir: folder.path }, 5_000);
  const loan = new StoreLoan(whole);
  await loan.endBehind(Promise.resolve(), 0);
  assertEquals((await loan.store.kv.get(["row"])).value, null);
  whole.kv.close();
});
