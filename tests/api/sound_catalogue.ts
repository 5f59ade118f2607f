import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { checkCatalogue } from "../../src/catalogue/check_catalogue.ts";
import { listWorkspaces } from "../../src/accounts/workspace.ts";
import type { Store } from "../../src/platform/store/kv.ts";

/** Fails if rows of a catalogue contradict each other; no job may run meanwhile. */
export async function requireSoundCatalogue(store: Store): Promise<void> {
  const findings: string[] = [];
  for (const { id } of await listWorkspaces(store)) {
    for await (const finding of checkCatalogue(store, id)) findings.push(finding);
  }
  assertEquals(findings, []);
}
