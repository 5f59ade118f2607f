/**
 * Reports unusual but working states of the store: a file with an unknown layout, a file that
 * wastes space, and a fast reader that has switched itself off.
 */

import { notesOfFile } from "../../platform/store/file_layout.ts";
import type { Store } from "../../platform/store/kv.ts";
import { findLayout } from "../../platform/store/layout_store.ts";
import { storeFile } from "../../platform/store/open_store.ts";
import { readConfig } from "../composition/config.ts";
import { storeLocation, withTools } from "./store_access.ts";
import { print } from "./terminal.ts";

/** Returns true if nothing was found; prints findings to standard output, one per line. */
export async function doctor(): Promise<boolean> {
  const { dataDir } = storeLocation(readConfig());
  return await withTools(async ({ store }) => {
    const findings = findingsOf(store, dataDir);
    for (const finding of findings) print(finding);
    const { layout } = await findLayout(store);
    print(`The store has layout ${layout}; ${findings.length} findings`);
    return findings.length === 0;
  });
}

function findingsOf({ direct }: Store, dataDir: string | null): string[] {
  if (dataDir === null) return [];
  const findings = notesOfFile(storeFile(dataDir).kvPath).map(({ text }) => text);
  const whyOff = direct?.whyOff ?? null;
  if (whyOff !== null) findings.push(`Lists are read by the engine, slower: ${whyOff}`);
  return findings;
}
