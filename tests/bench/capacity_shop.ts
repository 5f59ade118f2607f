/**
 * Shops on one port each, in which every path is a product page. `capacity_shop.ts SHOPS
 * small|saved` prints the ports.
 */
import { stdout } from "node:process";
import { gunzipSync, gzipSync } from "node:zlib";
import { COLLECTION } from "../sample_data.ts";
import { productPage } from "../scraping/hostile_shop.ts";
import { serveHere } from "../local_server.ts";

const [shops = "1", kind = "small"] = Deno.args;
const pages = kind === "saved" ? savedPages() : [gzipSync(productPage("90.00"))];
const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Encoding": "gzip" };
let served = 0;
const ports = Array.from(
  { length: Number(shops) },
  () =>
    serveHere(({ url }) => {
      if (url.endsWith("/robots.txt")) return new Response(null, { status: 404 });
      return new Response(new Uint8Array(pages[served++ % pages.length] ?? []), { headers });
    }).port,
);
stdout.write(`${JSON.stringify(ports)}\n`);

/** All pages have a readable price, so that each visit has the same effects. */
function savedPages(): Uint8Array[] {
  const folder = COLLECTION.path("pages/real");
  return [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".gz")).map(
    ({ name }) => {
      const html = new TextDecoder().decode(gunzipSync(Deno.readFileSync(`${folder}/${name}`)));
      return gzipSync(productPage("90.00").replace("</body>", `${html}</body>`));
    },
  );
}
