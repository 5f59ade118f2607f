/** Does one thing to a store's file, and says when it begins and when it has ended, to be killed in between. */
import { bringToLayout, prepareStoreFile } from "../../src/platform/store/file_layout.ts";
import { rewriteFile } from "../../src/platform/store/rewrite_file.ts";

const WORK: Record<string, (path: string) => Promise<unknown>> = {
  prepare: prepareStoreFile,
  swap: (path) => bringToLayout(path, 5_000),
  rewrite: (path) => rewriteFile(path, `${path}.compacting`),
};

const [name = "", path = ""] = Deno.args;
const say = (letter: string) => Deno.stdout.writeSync(new TextEncoder().encode(letter));
say("b");
await WORK[name]!(path);
say("e");
