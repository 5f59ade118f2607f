import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { statusOf } from "../api/answers.ts";
import { addMatch, addProduct } from "../shops/shop.ts";
import { untilEnded } from "../caller.ts";
import { openShop, priced } from "../scraping/hostile_shop.ts";
import { startLiveServer } from "../program.ts";
import { inFolder } from "../temporary_folder.ts";

inFolder.test("a connection that the runtime itself forbids fails its run with a code, and the server goes on", async (folder) => {
  await using shop = openShop({ "/p": priced("9.00") });
  await using other = openShop({ "/p": priced("7.00") });
  // The service allows the address, but Deno's permissions do not.
  const flags = ["--allow-all", `--deny-net=127.0.0.1:${shop.port}`];
  const settings = { SCRAPE_ALLOW_PRIVATE: "127.0.0.1" };
  await using live = await startLiveServer(folder.path, settings, { program: { flags } });
  const codes: (string | null)[] = [];
  for (const { base } of [shop, other]) {
    const product = await addProduct(live.owner, `OF-${base}`);
    await addMatch(live.owner, product, `${base}/p`);
    const { runId } = await live.owner.begin(`/api/products/${product}/scrape-now`);
    const run = await untilEnded(live.owner, `/api/scrape-runs/${runId}`);
    assertEquals(run.status, "succeeded");
    codes.push(run.results[0].errorCode);
  }
  assertEquals(codes, ["unreachable", null]);
  assertEquals(shop.visits.length, 0);
});

const DEFECTIVE = { program: { entry: "tests/fault/stray_entry.ts" } };

inFolder.test("a rejection that nobody awaits is logged with its place, and the server goes on; an uncaught exception ends it with code 1, and the next one starts", async (folder) => {
  {
    await using live = await startLiveServer(folder.path, {}, DEFECTIVE);
    live.tell("SIGUSR1");
    await live.logged(/unhandled rejection/);
    const line = live.log().split("\n").find((text) => text.includes("unhandled rejection")) ?? "";
    const { level, room, error } = JSON.parse(line);
    assertEquals([level, room], ["error", "serve"]);
    match(error, /STRAY REJECTION[^]*stray_entry\.ts/);
    const made = live.owner.post("/api/products", { sku: "A", title: "Herd" });
    assertEquals(await statusOf(made), 201);
    live.tell("SIGUSR2");
    assertEquals((await live.ended).code, 1);
    match(live.log(), /STRAY EXCEPTION[^]*stray_entry\.ts/);
  }
  await using next = await startLiveServer(folder.path);
  assertEquals((await next.owner.read("/api/products")).total, 1);
});
