import type { Locator, Page } from "playwright-core";
import type { TestApp } from "../harness.ts";
import { Buffer } from "node:buffer";
import { valuesOf } from "../api/answers.ts";

/** Replaces each run of whitespace by one space, also non-breaking spaces. */
export const plain = (text: string | null | undefined) =>
  (text ?? "").replaceAll(/\s+/g, " ").trim();

export const figure = (page: Page, label: string) =>
  page.locator(".figure", { has: page.getByText(label, { exact: true }) }).locator("strong")
    .first();

export async function figuresOf(page: Page, labels: readonly string[]): Promise<(string | null)[]> {
  return await Promise.all(labels.map((label) => figure(page, label).textContent()));
}

export async function pricesOf(app: TestApp): Promise<Record<string, number | null>> {
  const { items } = await app.viewer.read("/api/products?limit=200");
  return Object.fromEntries(valuesOf(items, "sku", "ourPriceCents"));
}

export async function fileBehind(link: Locator): Promise<string> {
  const href = await link.getAttribute("href") ?? "";
  return await (await link.page().request.get(href)).text();
}

/**
 * Evaluates `expression` when an element that matches `selector` is inserted, before the browser
 * paints.
 *
 * In the expression, `element` is the inserted element. The returned function waits for the value.
 */
export async function whenDrawn(page: Page, selector: string, expression: string) {
  await page.evaluate(`(() => {
    window.atDrawing = new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        const element = document.querySelector(${JSON.stringify(selector)});
        if (element === null) return;
        observer.disconnect();
        resolve(${expression});
      }).observe(document.body, { childList: true, subtree: true });
    });
  })()`);
  return () => page.evaluate<unknown>("window.atDrawing");
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  xml: "text/xml",
  csv: "text/csv",
  txt: "text/plain",
};

type Content = Uint8Array | string;

export async function chooseFile(page: Page, opener: Locator, name: string, content: Content) {
  const choosing = page.waitForEvent("filechooser");
  await opener.click();
  const mimeType = MEDIA_TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  await (await choosing).setFiles({ name, mimeType, buffer: Buffer.from(content) });
}

export async function chooseUpload(page: Page, name: string, content: Content) {
  await page.goto("/imports/new");
  await chooseFile(page, page.getByText("Datei auswählen"), name, content);
  await page.getByRole("list", { name: "Ausgewählte Dateien" }).getByText(name).waitFor();
}
