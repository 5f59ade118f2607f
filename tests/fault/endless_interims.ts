/** Servers that send endless interim responses (1xx), and five ways to make Kurant call them. */
import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import type { Discovery } from "../../src/shops/pages/discovery_store.ts";
import type { Delivery } from "../../src/messages/delivery_store.ts";
import type { Caller } from "../caller.ts";
import { addShop } from "../scraping/discovery/made_shop.ts";
import { readUntil } from "../patience.ts";
import { openWire, withoutEnd, writeAll } from "../wire_server.ts";

const flood = withoutEnd("HTTP/1.1 103 Early Hints\r\n\r\n");
const NOT_THERE = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";

/** Sends interim responses at `path` endlessly, but no final one. */
function openEndless(path: string) {
  return openWire((connection, request) =>
    request.split(" ")[1] === path ? flood(connection) : writeAll(connection, NOT_THERE)
  );
}

interface Way {
  readonly name: string;
  readonly path: string;
  /** Makes Kurant request `path` from the server at `base`; returns the resulting error code. */
  come(owner: Caller, base: string): Promise<string | null>;
}

export const FIVE_WAYS: readonly Way[] = [
  { name: "POST /api/extract", path: "/p", come: extract },
  { name: "robots.txt", path: "/robots.txt", come: extract },
  {
    name: "sitemaps",
    path: "/sitemap.xml",
    async come(owner, base) {
      const path = `/api/competitors/${await addShop(owner, base)}/discovery`;
      const sitemaps = [`${base}/sitemap.xml`];
      await owner.replace(path, { mode: "suggest", sitemaps });
      const read = async () => (await owner.read<Discovery>(path)).state;
      const state = await readUntil("the sitemaps are read", read, ({ phase }) => phase === "idle");
      await owner.replace(path, { mode: "off" });
      return state.lastError;
    },
  },
  {
    name: "webhook test",
    path: "/hook",
    async come(owner, base) {
      const made = { url: `${base}/hook`, events: ["price.changed"] };
      const { id } = await owner.create("/api/webhooks", made);
      const path = `/api/webhooks/${id}`;
      await owner.begin(`${path}/test`);
      const read = async (): Promise<Delivery> => (await owner.read(`${path}/deliveries`)).items[0];
      const isOver = ({ status }: Delivery) => status !== "pending";
      const { attempts } = await readUntil("the test has ended", read, isOver);
      await owner.remove(path);
      return attempts[0]?.errorCode ?? null;
    },
  },
  {
    name: "import source",
    path: "/items.xml",
    async come(owner, base) {
      const id = `erp-${new URL(base).port}`;
      const pull = { url: `${base}/items.xml` };
      await owner.create("/api/import-sources", { id, name: id, kind: "pull", pull });
      const { lastPull } = await owner.act(`/api/import-sources/${id}/pull`);
      await owner.remove(`/api/import-sources/${id}`);
      return lastPull.errorCode;
    },
  },
];

async function extract(owner: Caller, base: string): Promise<string | null> {
  return (await owner.act("/api/extract", { url: `${base}/p` })).errorCode;
}

/** More bytes than the buffers at both ends of a connection can take. */
const BUFFERED_BYTES = 32 * 1024 * 1024;

/**
 * Makes Kurant request `count` new servers at once, and requires that each counts as unreachable.
 * All servers stay open, because a new server on a reused port would count as the same shop.
 */
export async function goToEndless(
  { name, path, come }: Way,
  { owner, stack, count }: {
    readonly owner: Caller;
    readonly stack: AsyncDisposableStack;
    readonly count: number;
  },
): Promise<void> {
  await Promise.all(Array.from({ length: count }, async () => {
    const server = stack.use(openEndless(path));
    const code = await come(owner, server.url);
    const asked = server.requests.map((request) => request.split(" ")[1]);
    assertEquals([name, code, asked.at(-1)], [name, "unreachable", path]);
    ok(server.sent() < BUFFERED_BYTES, `${name}: ${server.sent()} bytes were sent`);
  }));
}
