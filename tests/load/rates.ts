/** Request rates of the idle server, compared with a minimal server at the same time. */
import { itemSku } from "../bench/erp_items.ts";
import { compareRates, inProcess, startClient } from "../bench/slices.ts";
import { callerWithKey } from "../caller.ts";
import type { LiveServer } from "../program.ts";
import { startHelper } from "../helper_process.ts";

/** `ratio` is relative to the minimal server; null without a comparison. */
export interface Rate {
  readonly what: string;
  readonly perSecond: number;
  readonly ratio: number | null;
  readonly goal: string;
}

const CONNECTIONS = 8;
const WRITES_MS = 3_000;
const ROWS = 1_000;
const BARE_BYTES = 2_000;
const UNKNOWN_KEY = `pk_live_${"0".repeat(32)}`;

export async function compareWithBareServer(
  live: LiveServer,
  { key, shopUrl }: { readonly key: string; readonly shopUrl: string },
): Promise<Rate[]> {
  await using bare = await startHelper(new URL("../bench/bare_hono.ts", import.meta.url));
  using client = startClient();
  const target = { connections: CONNECTIONS, path: `/${BARE_BYTES}` };
  const floor = client.asks({ ...target, port: Number(bare.line), authorization: "" });
  const port = Number(new URL(live.url).port);
  const compare = async (
    what: string,
    goal: string,
    path: string,
    text: string,
    status = 200,
  ) => {
    const authorization = `Bearer ${text}`;
    const subject = client.asks({ ...target, port, path, authorization, status });
    const [floorRate, perSecond] = await compareRates(floor, subject);
    return { what, goal, perSecond, ratio: perSecond / floorRate };
  };
  const list = "/api/public/v1/products";
  return [
    await compare("GET one product by SKU", "≥ 0.35", `${list}/${itemSku(7)}`, key),
    await compare("GET a list, limit=50", "≥ 0.10", `${list}?limit=50`, key),
    await compare("an unknown key, 401", "≥ 0.50", list, UNKNOWN_KEY, 401),
    await changesPerSecond(live),
    await rowsPerSecond(live, key, shopUrl),
  ];
}

async function changesPerSecond({ owner }: LiveServer): Promise<Rate> {
  const path = `/api/products?sku=${itemSku(11)}`;
  const { items: [{ id }] } = await owner.read(path);
  let title = 0;
  const change = () => owner.change(`/api/products/${id}`, { title: `T ${title++}` });
  const perSecond = await inProcess(1, change)(WRITES_MS);
  return { what: "PATCH one product", perSecond, ratio: null, goal: "≥ 150/s" };
}

async function rowsPerSecond({ url }: LiveServer, key: string, shopUrl: string): Promise<Rate> {
  const caller = callerWithKey(url, key);
  let atMs = Date.now();
  const push = () => {
    const observations = Array.from({ length: ROWS }, (_, n) => ({
      sku: itemSku(n),
      url: `${shopUrl}/p/2`,
      price: "12.50",
      currency: "EUR",
      observedAt: new Date(atMs).toISOString(),
    }));
    atMs--;
    return caller.act("/api/public/v1/observations", { observations });
  };
  await push();
  const perSecond = ROWS * await inProcess(1, push)(WRITES_MS);
  return { what: "observations, 1,000 per push", perSecond, ratio: null, goal: "≥ 5,000/s" };
}
