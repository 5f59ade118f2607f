import type { WorkspaceStore } from "./context.ts";
import { findUsage, listBlobs } from "./spool_store.ts";

/** Compares what the uploads of a workspace have reserved with the sum that is kept of it. */
export async function* checkSpool(workspace: WorkspaceStore): AsyncGenerator<string> {
  let reserved = 0;
  for await (const { reservedBytes = 0 } of listBlobs(workspace)) reserved += reservedBytes;
  const { bytes } = await findUsage(workspace);
  if (bytes !== reserved) yield `Uploads have reserved ${reserved} bytes, ${bytes} are counted`;
}
