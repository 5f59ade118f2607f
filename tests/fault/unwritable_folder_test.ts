import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { kurantHere } from "../kurant_here.ts";
import { kurant } from "../program.ts";
import { IS_LONG } from "../proof.ts";
import { mount, smallDiskTest } from "./small_disk.ts";

const PASSWORD = "vier lange deutsche Wörter";

/** Every command that writes, on an existing store. */
const commandsOf = (folder: string): string[][] => [
  ["serve"],
  ["backup", `${folder}/new.db`],
  ["restore", `${folder}/backup.db`],
  ["compact"],
  ["import", "docs/sample.xml"],
  ["user", "add", "--email", "eva@shop.example", "--role", "owner"],
  ["key", "add", "--name", "k"],
  ["tick"],
  ["workspace", "export", `${folder}/new.jsonl`],
  ["workspace", "import", `${folder}/workspace.jsonl`],
];

/**
 * These commands lock the folder until their process ends, even if they cannot write to it. The
 * short form starts all of them on the read-only disk, but only `serve` on the full disk.
 */
const HOLDERS = ["serve", "restore", "compact"];
const STARTED_ON_FULL_DISK = IS_LONG ? HOLDERS : ["serve"];

function diskTest(
  name: string,
  started: readonly string[],
  spoil: (folder: string) => Promise<void>,
  says: RegExp,
): void {
  smallDiskTest(name, 4, async (folder) => {
    const settings = { DATA_DIR: `${folder}/data`, PORT: "0" };
    assertEquals((await kurantHere(["key", "add", "--name", "k"], settings)).code, 0);
    assertEquals((await kurantHere(["backup", `${folder}/backup.db`], settings)).code, 0);
    const exported = ["workspace", "export", `${folder}/workspace.jsonl`];
    assertEquals((await kurantHere(exported, settings)).code, 0);
    await spoil(folder);
    for (const args of commandsOf(folder)) {
      const isHolder = HOLDERS.includes(args[0] ?? "");
      if (isHolder && !started.includes(args[0] ?? "")) continue;
      const run = isHolder ? kurant : kurantHere;
      const { code, out, err } = await run(args, settings, PASSWORD);
      assertEquals([args, code, out], [args, 1, ""]);
      const [line = "", ...rest] = err.trimEnd().split("\n");
      assertEquals([args, rest], [args, []]);
      ok(says.test(line) && line.includes(folder), `${args.join(" ")}: ${line}`);
    }
  });
}

diskTest(
  "a read-only folder is named in one sentence by every command",
  HOLDERS,
  (folder) => {
    ok(mount(["-o", "remount,ro", folder]));
    return Promise.resolve();
  },
  /^error: The folder ".+" cannot be written to: .+, or .+$/,
);

diskTest(
  "a full disk is named in one sentence by every command",
  STARTED_ON_FULL_DISK,
  fill,
  /^error: The disk of the folder ".+" is full: .+, or .+$/,
);

async function fill(folder: string): Promise<void> {
  using file = await Deno.open(`${folder}/filling`, { write: true, create: true });
  try {
    for (;;) await file.write(new Uint8Array(4_096));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}
