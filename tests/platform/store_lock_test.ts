import { throws } from "node:assert/strict";
import { lockStore } from "../../src/platform/store/store_file.ts";
import { inFolder } from "../temporary_folder.ts";

inFolder.test("a store has one holder, even if its lock file is deleted", async (folder) => {
  const path = `${folder.path}/kurant.lock`;
  {
    using lock = lockStore(path);
    lock.describe("http://127.0.0.1:8000");
    const named = new RegExp(`in use by process ${Deno.pid}, since .+, at http://127.0.0.1:8000`);
    throws(() => lockStore(path), named);
    await Deno.remove(path);
    throws(() => lockStore(path), { code: "unavailable", message: /^The store is in use: / });
  }
  lockStore(path)[Symbol.dispose]();
});
