/** A shop on 127.0.0.1, and pages that misbehave as pages of real shops do. */
import { brotliCompressSync, crc32, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { serveHere } from "../local_server.ts";
import { testWith } from "../opened.ts";
import { pause } from "../patience.ts";

export type Shop = ReturnType<typeof openShop>;

export type Page = (request: Request) => Response | Promise<Response>;

/** Serves `pages` by path, and 404 for other paths, usually also for `/robots.txt`. */
export function openShop(pages: Record<string, Page> = {}) {
  const visits: { path: string; headers: Headers }[] = [];
  const closing = new AbortController();
  let open = 0;
  let openMax = 0;
  const server = serveHere(
    async (request) => {
      const { pathname } = new URL(request.url);
      visits.push({ path: pathname, headers: request.headers });
      openMax = Math.max(openMax, ++open);
      try {
        const page = pages[pathname] ?? (() => new Response("no such page", { status: 404 }));
        const gone = new Promise<Response>((resolve) => {
          closing.signal.addEventListener("abort", () => resolve(new Response()));
        });
        return await Promise.race([Promise.resolve(page(request)), gone]);
      } finally {
        open--;
      }
    },
    { onError: () => new Response() },
  );
  return {
    port: server.port,
    base: server.url,
    visits,
    /** The requested paths that start with `begin`, in order, without `/robots.txt`. */
    asked: (begin = "/") =>
      visits.map(({ path }) => path).filter((path) =>
        path !== "/robots.txt" && path.startsWith(begin)
      ),
    pages,
    openMax: () => openMax,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await server[Symbol.asyncDispose]();
    },
  };
}

export function priced(price: string, headers: Record<string, string> = {}): Page {
  return () => html(productPage(price), headers);
}

export function productPage(price: string, currency = "EUR"): string {
  return articleText("X", {}, { price, priceCurrency: currency });
}

export function article(...facts: Parameters<typeof articleText>): Page {
  const text = articleText(...facts);
  return () => html(text);
}

export function articleText(
  name: string,
  more: Record<string, unknown> = {},
  offer: Record<string, unknown> = {},
): string {
  const availability = "https://schema.org/InStock";
  const offers = { "@type": "Offer", price: "10.00", priceCurrency: "EUR", availability, ...offer };
  const data = { "@context": "https://schema.org", "@type": "Product", name, ...more, offers };
  return `<!doctype html><title>${name}</title>${marked(data)}<h1>${name}</h1>`;
}

export function marked(data: unknown): string {
  return `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
}

export function html(text: string, headers: Record<string, string> = {}, status = 200): Response {
  const all = { "Content-Type": "text/html; charset=utf-8", ...headers };
  return new Response(text, { status, headers: all });
}

/** The page is sent only after `release`; `requested` resolves when a request has arrived. */
export function heldBack(page: Page) {
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  return {
    page: async (request: Request) => {
      requested.resolve();
      await released.promise;
      return await page(request);
    },
    requested: requested.promise,
    release: () => released.resolve(),
  };
}

/** Requests with this ETag get 304. */
export function tagged(text: string, etag = '"v1"'): Page {
  return ({ headers }) =>
    headers.get("If-None-Match") === etag
      ? new Response(null, { status: 304 })
      : html(text, { ETag: etag });
}

export const endless: Page = () =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)),
    }),
    { headers: { "Content-Type": "text/html" } },
  );

async function* drops() {
  for (;; await pause(20)) yield new Uint8Array([32]);
}

/** Sends a byte every 20 ms, endlessly. */
export const dripping: Page = () =>
  new Response(ReadableStream.from(drops()), { headers: { "Content-Type": "text/html" } });

export const hanging: Page = () => new Promise<Response>(() => {});

const CODECS = {
  gzip: gzipSync,
  deflate: deflateSync,
  "deflate-raw": deflateRawSync,
  br: brotliCompressSync,
};

/** `deflate-raw` is labelled `deflate`, because some servers do so. */
export function encoded(encoding: keyof typeof CODECS, text: string | Uint8Array): Page {
  const body = new Uint8Array(CODECS[encoding](text));
  const name = encoding === "deflate-raw" ? "deflate" : encoding;
  return () =>
    new Response(body, { headers: { "Content-Type": "text/html", "Content-Encoding": name } });
}

/** Valid gzip, made longer than its text by blocks of only ten bytes. */
export function swollenGzip(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  const parts = [[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]];
  for (let at = 0; at < bytes.length; at += 10) {
    const block = bytes.subarray(at, at + 10);
    const isLast = at + 10 >= bytes.length;
    parts.push([isLast ? 1 : 0, block.length, 0, 255 - block.length, 255, ...block]);
  }
  const sums = new DataView(new ArrayBuffer(8));
  sums.setUint32(0, crc32(bytes), true);
  sums.setUint32(4, bytes.length, true);
  return new Uint8Array([...parts.flat(), ...new Uint8Array(sums.buffer)]);
}

export function redirect(location: string, status = 302): Page {
  return () => new Response(null, { status, headers: { Location: location } });
}

export const withShop = testWith(() => openShop());
