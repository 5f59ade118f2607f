import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { commandContext } from "../../../src/accounts/anonymous.ts";
import { TABLES } from "../../../src/app/composition/tables.ts";
import { exportWorkspace } from "../../../src/app/workspace_files/export_workspace.ts";
import { importWorkspace } from "../../../src/app/workspace_files/import_workspace.ts";
import type { Store } from "../../../src/platform/store/kv.ts";
import { withApp } from "../../harness.ts";
import { openMemoryStore } from "../../memory_store.ts";
import { fillWorkspace } from "./full_workspace.ts";

/** Prefixes of tables that are empty in a copied workspace, grouped by the reason. */
const LEFT_BEHIND = {
  "people get a password, programs a key and webhooks a secret at the new place":
    "fap far fat fp il iu opb opi k kl kw s sul uv wd wh",
  "jobs are not in the file, so what belongs to imports is not either":
    "j ja jc jf ji jn ju jv jw jy isi isp iss phi xi xj",
  "it is worked out again": "cs dc dl ds due fo foc ptb qa qj qs rcd rsm rso rsop spv",
  "pages and addresses of shops are found again": "dsa dsn dsp dsq dsu fr lcp sp sv sw",
  "it is of the moment: positions in queues, waiting work, what was reported":
    "alc ald alh alm almt alo als alw cx dm dom dq epp ev fac lp mls oqd rls rob robt rsp sdn th xb",
  "runs and health of shops are not part of the file": "hc hd he ra re rp rq rr",
  "the copy has seals of its own": "amd asl asr",
  "rows of an earlier version": "xas",
};

async function prefixesIn({ kv }: Store): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const { key: [prefix] } of kv.list({ prefix: [] })) found.add(String(prefix));
  return found;
}

withApp.test("each declared table is copied with its workspace, or its reason is listed", async (app) => {
  await fillWorkspace(app);
  const tools = { store: app.store, clock: app.app.clock };
  const other = await openMemoryStore();
  await importWorkspace(
    { ...tools, store: other },
    exportWorkspace(commandContext(tools, app.workspaceId)),
    "Copy",
  );
  const copied = await prefixesIn(other);
  other.kv.close();
  const left = Object.values(TABLES).flat()
    .map(({ options: { prefix } }) => prefix)
    .filter((prefix) => !copied.has(prefix));
  const reasons = Object.values(LEFT_BEHIND).flatMap((prefixes) => prefixes.split(" "));
  assertEquals(left.toSorted(), reasons.toSorted());
});
