import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { VARIABLES } from "../../../src/app/composition/config.ts";
import { quietMetrics } from "../../platform/quiet_metrics.ts";
import { closing } from "../../closing_store.ts";
import { openMemoryStore } from "../../memory_store.ts";

const document = await Deno.readTextFile("docs/operations.md");

Deno.test("docs/operations.md names every metric, and no others", async () => {
  using store = closing(await openMemoryStore());
  const text = await quietMetrics(store).render();
  const known = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  const told = [...document.matchAll(/^\| `((?:kurant|process)_\w+)` /gm)].map(([, name]) => name);
  assertEquals(told.toSorted(), known.toSorted());
});

Deno.test("docs/operations.md names every environment variable, and stars the secret ones", () => {
  const secrets = Object.entries(VARIABLES).filter(([, variable]) => "secret" in variable);
  const told = new Set(document.match(/`[A-Z][A-Z_]+`\*?/g));
  const missing = Object.keys(VARIABLES).filter((name) =>
    !told.has(secrets.some(([secret]) => secret === name) ? `\`${name}\`*` : `\`${name}\``)
  );
  assertEquals(missing, []);
});

Deno.test("docs/operations.md links only to existing files", async () => {
  for (const name of ["operations", "workspace_file", "scale", "performance"]) {
    const text = await Deno.readTextFile(`docs/${name}.md`);
    for (const [, path] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
      assertEquals((await Deno.stat(`docs/${path}`)).isFile, true, path);
    }
  }
});
