/** Where the demo's shops list their pages: in one file, or in an index of packed ones. */
import type { DemoOffer, DemoShop } from "./demo_market.ts";

const FILES = 2;

/** The bytes of each file by its path; `origin` is where the shop is. */
export function sitemapsOf(
  { hasIndex }: DemoShop,
  offers: readonly DemoOffer[],
  origin: string,
): ReadonlyMap<string, ReadableStream<Uint8Array> | string> {
  const urls = offers.map(({ path }) => `${origin}${path}`);
  if (!hasIndex) return new Map([["/sitemap.xml", urlset(urls)]]);
  const size = Math.ceil(urls.length / FILES);
  const parts = Array.from({ length: FILES }, (_, n) => ({
    path: `/sitemap-${n + 1}.xml.gz`,
    text: urlset(urls.slice(n * size, (n + 1) * size)),
  }));
  const index = parts.map(({ path }) => `<sitemap><loc>${origin}${path}</loc></sitemap>`);
  return new Map<string, ReadableStream<Uint8Array> | string>([
    ["/sitemap.xml", xml("sitemapindex", index)],
    ...parts.map(({ path, text }) => [path, packed(text)] as const),
  ]);
}

function urlset(urls: readonly string[]): string {
  return xml("urlset", urls.map((url) => `<url><loc>${url}</loc></url>`));
}

function xml(root: string, entries: readonly string[]): string {
  const schema = "http://www.sitemaps.org/schemas/sitemap/0.9";
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${schema}">${
    entries.join("\n")
  }</${root}>\n`;
}

function packed(text: string): ReadableStream<Uint8Array> {
  return new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
}
