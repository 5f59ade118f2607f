/** Makes the files that the demo's ERP exported in the last 90 days, and imports them. */
import { formatGerman } from "../../base/money.ts";
import { escapeXml } from "../../base/text.ts";
import { startImport } from "../../imports/jobs/start_import.ts";
import { IMPORT_KIND, type ImportJob } from "../../imports/state/import_job.ts";
import { receiveFiles } from "../../imports/upload/receive_upload.ts";
import { waitForJob } from "../../platform/jobs/job_store.ts";
import { hasEnded } from "../../platform/jobs/job.ts";
import type { DemoProduct } from "./demo_catalogue.ts";
import { contextOf, type DemoStage, untilIdle } from "./demo_stage.ts";

/** Resolves when the rules have evaluated the imported products. */
export async function importFile(
  stage: DemoStage,
  name: string,
  text: string,
): Promise<void> {
  const ctx = contextOf(stage, stage.erp);
  const upload = await receiveFiles(ctx, [{ name, chunks: new Blob([text]).stream() }]);
  const options = {
    mode: "upsert",
    profile: null,
    tier: null,
    isDryRun: false,
    isForced: false,
    allowsNoPrices: false,
  } as const;
  const jobId = await startImport(ctx, upload, options, () => "");
  for (let job: ImportJob | null = null; !job || !hasEnded(job);) {
    job = await waitForJob<ImportJob>(ctx, IMPORT_KIND, jobId, 500);
  }
  await untilIdle(stage);
}

interface ErpLink {
  readonly name: string;
  readonly domain: string;
  readonly url: string;
}

export interface ErpItem {
  readonly product: DemoProduct;
  readonly priceCents: number;
  readonly links: readonly ErpLink[];
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<ITEMS>\n';
const TAIL = "</ITEMS>\n";

/** `validFrom` is a day such as "01.09.2026". */
export function erpFile(items: readonly ErpItem[], validFrom: string): string {
  return HEAD + items.map((item) => itemXml(item, validFrom)).join("") + TAIL;
}

/** The file has prices only, and some typical errors. */
export function priceFile(items: readonly ErpItem[], validFrom: string): string {
  const faults = [
    "  <ITEM><TITLE>Artikel ohne Nummer</TITLE></ITEM>\n",
    "  <ITEM><SKU>NEU-90001</SKU></ITEM>\n",
    `  <ITEM><SKU>NEU-90002</SKU><TITLE>Kabeltrommel 25 m</TITLE><BRAND>Grünwald</BRAND>` +
    "<CATEGORY>Werkzeug</CATEGORY><EAN>4006381333932</EAN>" +
    `<SALESPRICE><PRICE>auf Anfrage</PRICE><VALIDUNTIL/></SALESPRICE></ITEM>\n`,
  ];
  const prices = items.map(({ product, priceCents }) =>
    `  <ITEM>${element("SKU", product.sku)}${priceXml(priceCents, validFrom)}</ITEM>\n`
  );
  return HEAD + prices.join("") + faults.join("") + TAIL;
}

export function brokenFile(items: readonly ErpItem[], validFrom: string): string {
  const whole = priceFile(items, validFrom);
  return whole.slice(0, Math.floor(whole.length / 2));
}

function itemXml({ product, priceCents, links }: ErpItem, validFrom: string): string {
  const head = [
    element("SKU", product.sku),
    element("TITLE", product.title),
    element("BRAND", product.brand),
    element("CATEGORY", product.category),
    element("EAN", product.ean),
    element("MPN", product.mpn),
    element("CURRENCY", "EUR"),
    element("COSTPRICE", formatGerman(product.costCents, 2)),
  ];
  const shops = links.map(({ name, domain, url }) =>
    `<COMPETITOR>${element("NAME", name)}${element("DOMAIN", domain)}${element("URL", url)}` +
    "</COMPETITOR>"
  );
  const competitors = shops.length === 0 ? "" : `<COMPETITORS>${shops.join("")}</COMPETITORS>`;
  return `  <ITEM>${head.join("")}${priceXml(priceCents, validFrom)}${competitors}</ITEM>\n`;
}

function priceXml(priceCents: number, validFrom: string): string {
  return `<SALESPRICE>${element("PRICE", formatGerman(priceCents, 2))}` +
    `${element("VALIDFROM", validFrom)}<VALIDUNTIL/></SALESPRICE>`;
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}
