import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import { startTestApp } from "../../harness.ts";
import { testNeeding } from "../../needing.ts";

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

async function metricsOf(token: string): Promise<ReadonlySet<string>> {
  await using app = await startTestApp({ env: { METRICS_TOKEN: token } });
  const answer = await app.anyone.get("/metrics", { Authorization: `Bearer ${token}` });
  const declared = (await answer.text()).matchAll(/^# TYPE (\S+)/gm);
  return new Set([...declared].map(([, name = ""]) => name));
}

Deno.test("the dashboard and the alerts name only existing metrics", async () => {
  const known = await metricsOf("figures");
  for (const path of FILES) {
    const names = await namesIn(path);
    ok(names.length > 5, path);
    assertEquals(names.filter((name) => !known.has(name)), [], path);
  }
});

const promtool = await new Deno.Command("sh", {
  args: ["-c", "command -v promtool"],
  stdout: "null",
})
  .output();

testNeeding(promtool.success ? null : "promtool is not installed", {
  name: "promtool accepts the alerts",
  async fn() {
    const { code } = await new Deno.Command("promtool", {
      args: ["check", "rules", "deploy/alerts.yaml"],
      stdout: "null",
    }).output();
    assertEquals(code, 0);
  },
});
