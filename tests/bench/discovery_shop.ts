/**
 * A generated shop with sitemaps; the first argument is its number of pages. Prints its port.
 * `/visited` lists the visited pages in order.
 */
import { argv, stdout } from "node:process";
import { shopTitles } from "../engine/matching/made_titles.ts";
import { articlePage, sitemapIndex, urlset } from "../scraping/discovery/made_shop.ts";
import { serveHere } from "../local_server.ts";

const PER_FILE = 50_000;
const slug = (text: string) =>
  text.toLowerCase().normalize("NFD").replaceAll(/\p{M}/gu, "").replaceAll(/[^a-z0-9]+/g, "-");

const titles = shopTitles(Number(argv[2])).map(({ title }) => title);
/** As in some real shops, every third address has the word `artikel` instead of the title. */
const paths = titles.map((title, n) => `/p/${n % 3 === 2 ? "artikel" : slug(title)}-${n}.html`);
const places = new Map(paths.map((path, n) => [path, n]));
const visited: number[] = [];
const xml = { headers: { "Content-Type": "application/xml" } };

const { url: base, port } = serveHere((request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/robots.txt") return new Response(`Sitemap: ${base}/sitemap.xml`);
  if (pathname === "/visited") return Response.json(visited);
  if (pathname === "/sitemap.xml") {
    const files = Array.from({ length: Math.ceil(paths.length / PER_FILE) }, (_, n) => n);
    return new Response(sitemapIndex(files.map((n) => `${base}/sitemap-${n}.xml`)), xml);
  }
  const file = /^\/sitemap-(\d+)\.xml$/.exec(pathname)?.[1];
  if (file !== undefined) {
    const from = Number(file) * PER_FILE;
    return new Response(urlset(paths.slice(from, from + PER_FILE).map((path) => base + path)), xml);
  }
  const n = places.get(pathname);
  if (n === undefined) return new Response(null, { status: 404 });
  visited.push(n);
  return articlePage({ name: titles[n] ?? "" })(request);
});
stdout.write(`${port}\n`);
