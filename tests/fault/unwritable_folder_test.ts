import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { kurantHere } from "../kurant_here.ts";
import { kurant } from "../program.ts";
import { IS_LONG } from "../proof.ts";
import { fillDisk, onSmallDisk, remount } from "./small_disk.ts";

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

/**
 * How a folder becomes unwritable, the commands of `HOLDERS` that the test starts, and the one
 * sentence of each command.
 */
const CASES = [
  {
    name: "a read-only folder is named in one sentence by every command",
    started: HOLDERS,
    spoil: (folder: string) => remount(folder, "ro"),
    says: /^error: The folder ".+" cannot be written to: .+, or .+$/,
  },
  {
    name: "a full disk is named in one sentence by every command",
    started: STARTED_ON_FULL_DISK,
    spoil: (folder: string) => fillDisk(`${folder}/filling`),
    says: /^error: The disk of the folder ".+" is full: .+, or .+$/,
  },
];

const onDisk = onSmallDisk(4);

for (const { name, started, spoil, says } of CASES) {
  onDisk.test(name, async ({ path: folder }) => {
    const settings = { DATA_DIR: `${folder}/data`, PORT: "0" };
    const before = [
      ["key", "add", "--name", "k"],
      ["backup", `${folder}/backup.db`],
      ["workspace", "export", `${folder}/workspace.jsonl`],
    ];
    for (const args of before) assertEquals((await kurantHere(args, settings)).code, 0);
    spoil(folder);
    for (const args of commandsOf(folder)) {
      const [command = ""] = args;
      const isHolder = HOLDERS.includes(command);
      if (isHolder && !started.includes(command)) continue;
      const run = isHolder ? kurant : kurantHere;
      const { code, out, err } = await run(args, settings, PASSWORD);
      assertEquals([args, code, out], [args, 1, ""]);
      const [line = "", ...rest] = err.trimEnd().split("\n");
      assertEquals([args, rest], [args, []]);
      ok(says.test(line) && line.includes(folder), `${args.join(" ")}: ${line}`);
    }
  });
}
