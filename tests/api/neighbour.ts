/** Another workspace on the same store, which no request of a test may change. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { idBytes } from "../../src/base/id.ts";
import { listWorkspaces } from "../../src/accounts/workspace.ts";
import type { TestApp } from "../harness.ts";
import { statusOf } from "./answers.ts";

export async function withNeighbour(app: TestApp) {
  const owner = await app.strangerOwner();
  const product = { sku: "NEIGHBOUR", title: "Nachbar", ourPrice: 1, attributes: { a: "b" } };
  const { id: productId } = await owner.create("/api/products", product);
  const others = (await listWorkspaces(app.store)).map(({ id }) => id)
    .filter((id) => id !== app.workspaceId);
  const before = await rowsOf(app, others);
  return {
    productId,
    /** Fails if the server does not answer, or if a row of the workspace was written since. */
    async requireUntouched() {
      assertEquals(await statusOf(app.anyone.get("/healthz")), 200);
      assertEquals(await rowsOf(app, others), before);
    },
  };
}

const BESIDE = new Set<Deno.KvKeyPart | undefined>(["nw", "tq", "uv", "ev", "evv"]);

/** Keys and versions of all rows of the workspaces. A write changes the version. */
async function rowsOf({ store }: TestApp, workspaceIds: readonly string[]): Promise<string[]> {
  const marks = workspaceIds.map((id) => Buffer.from(idBytes(id)));
  const rows: string[] = [];
  for await (const { key, versionstamp } of store.kv.list({ prefix: [] })) {
    // These rows change later as a result of the neighbour's own requests.
    if (BESIDE.has(key[0])) continue;
    const belongs = key.some((part) =>
      part instanceof Uint8Array ? marks.some((mark) => mark.equals(part)) : false
    );
    if (belongs) rows.push(`${Deno.inspect(key)} ${versionstamp}`);
  }
  if (rows.length < 3) throw new Error("The neighbour's rows are not found by their workspace");
  return rows;
}
