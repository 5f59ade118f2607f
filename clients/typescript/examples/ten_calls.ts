// A nightly job with ten calls. Run: node --experimental-strip-types examples/ten_calls.ts
import process from "node:process";
import { kurant } from "kurant-client";

const { KURANT = "", KEY = "" } = process.env;
const client = kurant({ baseUrl: KURANT, key: KEY });

/** Returns the data of an answer, or throws an error if the service refused the request. */
function told<T>(answer: { readonly data?: T; readonly error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}
const show = (...values: unknown[]) => console.log(JSON.stringify(values));

const me = told(await client.GET("/api/public/v1/me"));
show(me.data.key.name, me.data.workspace.currency);

const settings = told(await client.GET("/api/public/v1/settings"));
show(settings.data.pricesIncludeVat, settings.data.vatRatePct);

const file = "sku;title;price;cost\nEX-1;Wasserkocher;49,90;20\nEX-2;Toaster;39,90;15\n";
const sent = told(
  await client.POST("/api/public/v1/products/import", {
    params: { query: { source: "default" }, header: { Prefer: "wait=30" } },
    headers: { "Content-Type": "application/octet-stream" },
    body: file,
    bodySerializer: (body: unknown) => String(body),
  }),
);
const path = { jobId: sent.data.jobId };
let job = told(await client.GET("/api/public/v1/products/import/{jobId}", { params: { path } }));
while (job.data.status === "queued" || job.data.status === "running") {
  await new Promise((wake) => setTimeout(wake, 500));
  job = told(await client.GET("/api/public/v1/products/import/{jobId}", { params: { path } }));
}
show(job.data.status, job.data.stats.inserted);

const batch = told(
  await client.POST("/api/public/v1/products/batch", {
    body: { items: [{ sku: "EX-1", ourPrice: 47.9 }, { sku: "EX-2", stock: 3 }] },
  }),
);
show(...batch.data.map(({ outcome }) => outcome));

const product = told(
  await client.GET("/api/public/v1/products/{idOrSku}", { params: { path: { idOrSku: "EX-1" } } }),
);
show(product.data.title, product.data.ourPriceCents);

const market = told(
  await client.GET("/api/public/v1/market", { params: { query: { sku: "KS-300" } } }),
);
show(market.data[0]?.position, market.data[0]?.gapCents);

const proposals = told(await client.GET("/api/public/v1/proposals"));
const [proposal] = proposals.data;
show(proposal?.sku, proposal?.proposedCents);

const decided = told(
  await client.POST("/api/public/v1/proposals/{id}/approve", {
    params: { path: { id: proposal?.id ?? "" } },
    body: { reason: "As the market" },
  }),
);
show(decided.data.status, decided.data.decisionReason);

const changes = told(await client.GET("/api/public/v1/price-changes"));
show(...changes.data.map(({ sku, toCents }) => [sku, toCents]));

const arrivals = told(await client.GET("/api/public/v1/price-arrivals"));
show(arrivals.data.length);
