import type { Locator, Page } from "playwright-core";
import type { TestApp } from "../harness.ts";

/** Replaces every run of whitespace, including non-breaking spaces, by one space. */
export const plain = (text: string | null | undefined) =>
  (text ?? "").replaceAll(/\s+/g, " ").trim();

/** The number above or below a label. */
export const figure = (page: Page, label: string) =>
  page.locator(".figure", { has: page.getByText(label, { exact: true }) }).locator("strong")
    .first();

export async function figuresOf(page: Page, labels: readonly string[]): Promise<(string | null)[]> {
  return await Promise.all(labels.map((label) => figure(page, label).textContent()));
}

/** Our prices in cents, by SKU. */
export async function pricesOf(app: TestApp): Promise<Record<string, number | null>> {
  const { items } = await app.viewer.read("/api/products?limit=200");
  return Object.fromEntries(
    items.map((one: { sku: string; ourPriceCents: number | null }) => [one.sku, one.ourPriceCents]),
  );
}

/** The text of the file that a link loads. */
export async function fileBehind(link: Locator): Promise<string> {
  const href = await link.getAttribute("href") ?? "";
  return await (await link.page().request.get(href)).text();
}
