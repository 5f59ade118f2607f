import { readConfig } from "../../../src/app/composition/config.ts";
import { retentionTable } from "../../../src/app/composition/schedule.ts";
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { glob } from "node:fs/promises";

Deno.test("docs/operations.md shows the retention table line by line", async () => {
  const text = await Deno.readTextFile("docs/operations.md");
  for (const { what, days, setting } of retentionTable(readConfig(() => undefined))) {
    const line = text.split("\n").find((row) => row.startsWith(`| ${what} `));
    ok(line, `there is no line for ${what}`);
    const cells = line.split("|").map((cell) => cell.trim());
    assertEquals(cells[2], String(days), what);
    assertEquals(cells[3], setting === undefined ? "" : `\`${setting}\``, what);
  }
});

Deno.test("every sweep of a room is in the retention table or in the schedule", async () => {
  const read = (name: string) => Deno.readTextFile(`src/app/composition/${name}.ts`);
  const planned = await read("retention") + await read("schedule");
  const sweeps: string[] = [];
  for await (const path of glob("src/**/*.ts")) {
    const text = await Deno.readTextFile(path);
    const found = text.matchAll(/^export async function (sweep\w+)\(store: Store,/gm);
    sweeps.push(...[...found].map(([, name = ""]) => name));
  }
  ok(sweeps.length > 2);
  assertEquals(sweeps.filter((name) => !planned.includes(name)), []);
});
