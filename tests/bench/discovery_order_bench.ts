/**
 * How soon discovery finds what we sell among the pages of a made shop: the share of our products that
 * were seen after a share of the visits. `deno run -A tests/bench/discovery_order_bench.ts [pages]`
 */
import { stdout } from "node:process";
import { Chooser, PatternTally, slugTitle } from "../../src/scraping/suggestions/choose_urls.ts";
import { ProductIndex } from "../../src/scraping/suggestions/product_indexes.ts";
import { ourTitles, shopTitles } from "../engine/matching/made_titles.ts";
import { isOurs, oursAmong, shopPaths } from "./discovery_paths.ts";
import { processMs } from "../processor_time.ts";

const print = (line: string) => stdout.write(`${line}\n`);
const pages = Number(Deno.args[0] ?? 50_000);
const ours = oursAmong(pages);

const index = new ProductIndex();
const begun = processMs();
for (const [n, { title, brand = null }] of ourTitles(ours).entries()) {
  index.put({ id: n.toString(16).padStart(24, "0"), title, brand, ean: null, mpn: null });
}
const built = processMs();
const urls = shopPaths(shopTitles(pages).map(({ title }) => title))
  .map((path) => `https://shop.example${path}`);
const chooser = new Chooser({
  max: pages,
  today: 20_000,
  patterns: new PatternTally(),
  wishes: { include: [], exclude: [] },
});
for (const url of urls) {
  const score = Math.round(250 * index.scoreOf(slugTitle(url))) / 250;
  chooser.offer({ url, score, state: "new", lastmodDay: 0, visitedDay: 0 });
}
const weighed = processMs();
const plan = chooser.take();
const isOurPage = (url: string) => isOurs(Number(/-(\d+)\.html$/.exec(url)?.[1]), ours);
const all = plan.filter(isOurPage).length;
print(`${pages} pages, ${all} of them ours among ${ours} products; a third without words`);
print(
  `index ${Math.round(built - begun)} ms, addresses ${
    ((weighed - built) / pages).toFixed(3)
  } ms each`,
);
for (const share of [0.01, 0.05, 0.1, 0.2, 0.5]) {
  const seen = plan.slice(0, Math.round(share * pages)).filter(isOurPage).length;
  print(`after ${100 * share} % of the visits: ${(100 * seen / all).toFixed(1)} %`);
}
