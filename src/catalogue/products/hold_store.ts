/** Products with a `heldUntil`, sorted by this time. */
import type { WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { holdEndMs, type Product } from "./product.ts";

interface Hold {
  readonly untilMs: number;
  readonly productId: string;
}

const EMPTY = new Uint8Array();

export const holds = defineTable<Hold, "untilMs" | "productId">({
  prefix: "hu",
  about:
    "the price of an active product is or was held until that time; the product's document also contains the time",
  key: { untilMs: "number", productId: "id" },
  codec: { encode: () => EMPTY, decode: () => ({}) },
});

export const holdPasses = defineTable<Hold>({
  prefix: "hup",
  about: "the last ended hold for which rules were evaluated again",
  key: {},
  codec: {
    encode: ({ untilMs, productId }) => [untilMs, productId],
    decode(value) {
      const [untilMs, productId] = Array.isArray(value) ? value : [];
      return { untilMs: Number(untilMs), productId: String(productId) };
    },
  },
});

export function putHold(
  write: Write,
  workspaceId: string,
  before: Product | null,
  after: Product,
): void {
  const was = before && holdEndMs(before);
  const is = holdEndMs(after);
  if (was === is) return;
  const hold = (untilMs: number) => ({ untilMs, productId: after.id });
  if (was !== null) holds.drop(write, { workspaceId }, hold(was));
  if (is !== null) holds.put(write, { workspaceId }, hold(is));
}

export async function listHeld(workspace: WorkspaceStore, nowMs: number): Promise<string[]> {
  const held = holds.walk(workspace, { after: { untilMs: nowMs } });
  return (await Array.fromAsync(held, ({ row }) => row.productId)).sort();
}
