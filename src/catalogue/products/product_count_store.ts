/** Keys: `d W "n"` → u64 count of the active products, moved by `sum` alone. */
import { keptIdBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";

const countKey = (workspaceId: string) => ["d", keptIdBytes(workspaceId), "n"];

/** Active products of the workspace, exactly. */
export async function countActiveProducts({ store, workspaceId }: WorkspaceStore): Promise<number> {
  const { value } = await store.kv.get<Deno.KvU64>(countKey(workspaceId));
  return value === null ? 0 : Number(value.value);
}

export function addToCount(write: Write, workspaceId: string, products: number): void {
  if (products !== 0) write.sum(countKey(workspaceId), products);
}
