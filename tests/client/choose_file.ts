import { Buffer } from "node:buffer";
import type { Locator, Page } from "playwright-core";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  xml: "text/xml",
  csv: "text/csv",
  txt: "text/plain",
};

export async function chooseFile(
  page: Page,
  opener: Locator,
  name: string,
  content: Uint8Array | string,
): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await opener.click();
  const mimeType = MEDIA_TYPES[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  await (await choosing).setFiles({ name, mimeType, buffer: Buffer.from(content) });
}

export async function chooseUpload(
  page: Page,
  name: string,
  content: Uint8Array | string,
): Promise<void> {
  await page.goto("/imports/new");
  await chooseFile(page, page.getByText("Datei auswählen"), name, content);
  await page.getByRole("list", { name: "Ausgewählte Dateien" }).getByText(name).waitFor();
}
