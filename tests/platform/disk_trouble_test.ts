import { DiskRefusal, diskTroubleOf, withRoom } from "../../src/platform/store/store_trouble.ts";
import { deepStrictEqual as assertEquals, rejects } from "node:assert/strict";

const errorWith = (fields: Record<string, unknown>, message = "m", cause?: unknown) =>
  Object.assign(new Error(message, { cause }), fields);

Deno.test("diskTroubleOf() recognises only codes of the system and of SQLite, also in causes", () => {
  const full = errorWith({ code: "ENOSPC" });
  const table: readonly (readonly [error: unknown, is: string | null])[] = [
    [full, "full"],
    [errorWith({ code: "EDQUOT" }), "full"],
    [errorWith({ errcode: 13 }), "full"],
    [errorWith({ code: "ERR_SQLITE_ERROR" }, "database or disk is full"), "full"],
    [errorWith({ code: "EROFS" }), "unwritable"],
    [errorWith({ code: "EACCES" }), "unwritable"],
    [errorWith({ code: "EPERM" }), "unwritable"],
    [errorWith({ code: "ERR_SQLITE_ERROR", errcode: 8 }), "unwritable"],
    [errorWith({}, "outside", errorWith({}, "between", full)), "full"],
    [errorWith({ code: "ERR_SQLITE_ERROR", errcode: 5 }, "database is locked"), null],
    [errorWith({}, "database or disk is full"), null],
    ["ENOSPC", null],
    [null, null],
  ];
  for (const [error, is] of table) assertEquals([error, diskTroubleOf(error)], [error, is]);
});

Deno.test("withRoom() refuses to start without enough disk space, and reports a disk that fills up", async () => {
  const beside = await Deno.makeTempFile();
  const need = { beside, bytes: 1, what: "the copy" };
  assertEquals(await withRoom(need, () => 7), 7);
  let isDone = false;
  const tooLarge = withRoom({ ...need, bytes: 1e15 }, () => isDone = true);
  await rejects(tooLarge, (error) =>
    error instanceof DiskRefusal &&
    /needs 1000000000000000 bytes of free space for the copy, and has \d+: /.test(error.message));
  assertEquals(isDone, false);
  const becomesFull = withRoom(need, () => Promise.reject(errorWith({ code: "ENOSPC" })));
  await rejects(becomesFull, { code: "unavailable", message: /needs 1 bytes .* the copy: free/ });
  const fails = withRoom(need, () => Promise.reject(new Error("of another kind")));
  await rejects(fails, { message: "of another kind" });
  await Deno.remove(beside);
});
