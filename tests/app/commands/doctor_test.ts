import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { refuses } from "../../api/answers.ts";
import { addAuditRow } from "../../../src/accounts/audit/audit_store.ts";
import { provideWorkspace } from "../../../src/accounts/set_up.ts";
import { DAY_MS } from "../../../src/base/time.ts";
import { createClock } from "../../../src/platform/store/context.ts";
import { transact } from "../../../src/platform/store/kv.ts";
import { openStoreIn } from "../../closing_store.ts";
import { startTestApp } from "../../harness.ts";
import { kurantHere, succeeds } from "../../kurant_here.ts";
import { kurant } from "../../program.ts";
import { freePort } from "../../stores.ts";
import { inFolder } from "../../temporary_folder.ts";

interface Point {
  readonly name: string;
  readonly level: string;
  readonly text: string;
}

inFolder.test("doctor reports the installation in one line per point, and ends with 0", async (folder) => {
  const settings = { DATA_DIR: folder.path };
  await succeeds(kurantHere(["key", "add", "--name", "k"], settings));
  await succeeds(kurantHere(["backup", `${folder.path}/b.db`], settings));
  await succeeds(
    kurant(["doctor"], settings),
    /^ok {6}version: Kurant \S+ with Deno \S+, layout \d+$/m,
    /^ok {6}file: has the layout of this version$/m,
    /^ok {6}backup: the last checked backup is from 2\S+Z: .*\/b\.db$/m,
    /^note {4}drill: no backup has been restored as a test; kurant drill/m,
    /^note {4}mail: SMTP_URL is not set/m,
    /\nThe store has layout \d+; 0 problems\n$/,
  );
});

inFolder.test("doctor --json names an old backup, a clock set back and an unreachable mail server", async (folder) => {
  const settings = {
    DATA_DIR: folder.path,
    SMTP_URL: `smtp://127.0.0.1:${freePort()}`,
    MAIL_FROM: "prices@shop.example",
  };
  await addRowOfTomorrow(folder.path);
  const at = new Date(Date.now() - 3 * DAY_MS).toISOString();
  const mark = JSON.stringify({ at, path: "b.db", bytes: 1 });
  await Deno.writeTextFile(`${folder.path}/kurant.backup.json`, mark);
  const { code, out } = await kurantHere(["doctor", "--json"], settings);
  assertEquals(code, 1);
  const { points, problems }: { points: Point[]; problems: number } = JSON.parse(out);
  const bad = points.filter(({ level }) => level === "problem").map(({ name }) => name);
  assertEquals([bad, problems], [["backup", "clock", "mail"], 3]);
  match(points.find(({ name }) => name === "clock")?.text ?? "", /^rows are 8\d{4} s newer/);
});

async function addRowOfTomorrow(dataDir: string): Promise<void> {
  using store = await openStoreIn(dataDir);
  const clock = await createClock(store, () => new Date(Date.now() + DAY_MS));
  const ctx = await provideWorkspace({ store, clock }, undefined);
  await transact(ctx, (write) =>
    addAuditRow(write, ctx, {
      action: "workspace.update",
      resource: { type: "workspace", id: ctx.workspaceId, label: "" },
      before: null,
      after: null,
    }));
}

Deno.test("GET /readyz?verbose says the same, but only with METRICS_TOKEN", async () => {
  await using app = await startTestApp({ env: { METRICS_TOKEN: "figures" } });
  const wrong = { Authorization: "Bearer x" };
  await refuses(app.anyone.get("/readyz?verbose"), "missing_credentials");
  await refuses(app.anyone.get("/readyz?verbose", wrong), "not_authenticated");
  assertEquals(await app.anyone.read("/readyz?verbose=false"), { ok: true });
  const authorization = { Authorization: "Bearer figures" };
  const { ok, points } = await app.anyone.read("/readyz?verbose", authorization);
  assertEquals(ok, true);
  const names = points.map(({ name }: Point) => name);
  assertEquals(names.includes("queues") && names.includes("jobs"), true);
  await using silent = await startTestApp();
  await refuses(silent.anyone.get("/readyz?verbose", authorization), "not_found");
});
