/** docs/operations.md, the dashboard and the alerts name only things that exist. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Store } from "../../../src/platform/store/kv.ts";
import { VARIABLES } from "../../../src/app/composition/config.ts";
import { outputOf } from "../../program.ts";
import { quietMetrics } from "../../platform/quiet_metrics.ts";
import { withStore } from "../../memory_store.ts";
import { testNeeding } from "../../needing.ts";

const document = await Deno.readTextFile("docs/operations.md");

async function metricsOf(store: Store): Promise<string[]> {
  const text = await quietMetrics(store).render();
  return [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!);
}

withStore.test("docs/operations.md names every metric, and no others", async (store) => {
  const known = await metricsOf(store);
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

const FILES = ["deploy/grafana/kurant.json", "deploy/alerts.yaml"];
/** Suffixes that a histogram adds to its declared name. */
const SERIES = /_(?:bucket|sum|count)$/;

async function namesIn(path: string): Promise<string[]> {
  const text = await Deno.readTextFile(path);
  // Finds names of metrics. Labels such as `instance` and names of files or units have no
  // underscore.
  const found = text.matchAll(/\b(?:kurant|process)_[a-z_]+\b/g);
  return [...new Set([...found].map(([name]) => name.replace(SERIES, "")))];
}

withStore.test("the dashboard and the alerts name only existing metrics", async (store) => {
  const known = await metricsOf(store);
  for (const path of FILES) {
    const names = await namesIn(path);
    ok(names.length > 5, path);
    assertEquals(names.filter((name) => !known.includes(name)), [], path);
  }
});

const promtool = await outputOf("sh", ["-c", "command -v promtool"]);

testNeeding(promtool.code === 0 ? null : "promtool is not installed", {
  name: "promtool accepts the alerts",
  async fn() {
    const { code, err } = await outputOf("promtool", ["check", "rules", "deploy/alerts.yaml"]);
    assertEquals(code, 0, err);
  },
});
