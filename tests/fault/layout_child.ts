/** Prepares or rewrites a store's file; a test may kill it between the outputs `b` and `e`. */
import { prepareStoreFile, rewriteFile } from "../../src/platform/store/file_layout.ts";

const WORK: Record<string, (path: string) => Promise<unknown>> = {
  prepare: prepareStoreFile,
  rewrite: (path) => rewriteFile(path, `${path}.compacting`),
};

const [name = "", path = ""] = Deno.args;
const say = (letter: string) => Deno.stdout.writeSync(new TextEncoder().encode(letter));
say("b");
await WORK[name]!(path);
say("e");
