/**
 * Kurant as a person would run it: the ERP's file is imported, and the list is read with cursors.
 */
import { bodyOf } from "../../api/answers.ts";
import { serverPid, startLiveServer } from "../../program.ts";
import { storeFile } from "../../../src/platform/store/open_store.ts";
import { erpFile } from "./article.ts";
import { askJson, PAGE_ROWS, type Peer, skusOf } from "./peer.ts";

const POLL_MS = 50;

export async function startKurant(folder: string): Promise<Peer> {
  const live = await startLiveServer(folder, { RATE_LIMIT_PER_MINUTE: "1000000" });
  const { key } = await bodyOf(
    live.owner.post("/api/keys", { name: "bench", scopes: ["products:write"] }),
    201,
  );
  const headers = { Authorization: `Bearer ${key}` };
  const list = `${live.url}/api/public/v1/products`;
  return {
    name: "Kurant",
    way: "one `POST …/products/import` of the ERP's file, pages by `cursor`",
    pid: await serverPid(folder),
    storePath: storeFile(folder).kvPath,
    async upsert(articles) {
      const body = new Uint8Array(
        await new Response(ReadableStream.from(erpFile(articles))).bytes(),
      );
      const { data } = await askJson(`${list}/import`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/xml", Prefer: "respond-async" },
        body,
      });
      await untilDone(`${list}/import/${data.jobId}`, headers, articles.length);
    },
    async page(after) {
      const query = new URLSearchParams({
        limit: String(PAGE_ROWS),
        ...(after && { cursor: after }),
      });
      const { data, nextCursor } = await askJson(`${list}?${query}`, { headers });
      return { skus: skusOf(data), next: nextCursor };
    },
    async priceOf(sku) {
      const { data } = await askJson(`${list}/${sku}`, { headers });
      return data.ourPriceCents;
    },
    [Symbol.asyncDispose]: () => live[Symbol.asyncDispose](),
  };
}

async function untilDone(url: string, headers: HeadersInit, count: number): Promise<void> {
  for (;;) {
    const { data } = await askJson(url, { headers });
    if (data.status === "succeeded") {
      const { inserted, updated } = data.stats;
      if (inserted + updated !== count) throw new Error(`Stored ${JSON.stringify(data.stats)}`);
      return;
    }
    if (data.status !== "queued" && data.status !== "running") {
      throw new Error(`The import ended: ${JSON.stringify(data).slice(0, 500)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
