/**
 * Takes the screenshots of `docs/screens/` from the demo and from an empty workspace, in a real
 * browser. With a folder as argument, the script saves screenshots in all widths and colour schemes
 * there instead.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Browser, chromium, type Page } from "playwright-core";
import { DEMO_LOGIN } from "../src/app/demo/fill_demo.ts";
import { temporaryFolder } from "../tests/temporary_folder.ts";
import { addressOf, post, signIn } from "./own_service.ts";

const KEPT_FOLDER = new URL("../docs/screens/", import.meta.url);
const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/chromium-headless-shell",
];
const SETTLE_MS = 1_000;

interface Screen {
  readonly name: string;
  readonly path: string;
  readonly act?: (page: Page) => Promise<void>;
}

const openFirst = (page: Page) => page.keyboard.press("j");

const openProposed = async (page: Page) => {
  await page.locator("tbody a").first().click();
  await page.locator(".chart-box").first().waitFor();
};

const openShop = async (page: Page) => {
  await page.locator("tbody tr.opens").first().click();
  await page.waitForURL(/\/competitors\/[0-9a-f]{24}/);
};

const openEditor = async (page: Page) => {
  await page.locator("tbody tr.opens").nth(1).click();
  await page.locator(".clause-count").first().waitFor();
};

const openEvidence = async (page: Page) => {
  await openProposed(page);
  await page.locator(".lowest a").click();
  await page.locator(".evidence tbody tr").first().waitFor();
};

const openLine = (page: Page) => page.locator("button.log-fold").first().click();

const SCREENS: readonly Screen[] = [
  { name: "morning", path: "/" },
  { name: "shops", path: "/competitors" },
  { name: "shop", path: "/competitors", act: openShop },
  { name: "market", path: "/products?sort=gapPct&order=desc" },
  { name: "matrix", path: "/products?sort=gapPct&order=desc&shape=matrix" },
  { name: "product", path: "/products?hasProposal=true", act: openProposed },
  { name: "proposals", path: "/proposals", act: openFirst },
  { name: "audit-log", path: "/audit-log?resource=proposal", act: openLine },
  { name: "rules", path: "/rules" },
  { name: "rule-editor", path: "/rules", act: openEditor },
  { name: "price-evidence", path: "/products?hasProposal=true", act: openEvidence },
  { name: "review", path: "/links" },
  { name: "coverage", path: "/links/coverage" },
  { name: "quarantine", path: "/competitors/quarantine" },
  { name: "imports", path: "/imports" },
  { name: "sources", path: "/imports/sources" },
  { name: "runs", path: "/runs" },
  { name: "alerts", path: "/alerts" },
];

const FIRST_SCREENS: readonly Screen[] = [{ name: "first-run", path: "/" }];

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

const DEVICES = [
  { suffix: "", viewport: WIDE, colorScheme: "light", isKept: true },
  { suffix: "-dark", viewport: WIDE, colorScheme: "dark", isKept: true },
  { suffix: "-phone", viewport: PHONE, colorScheme: "light", isKept: true },
  { suffix: "-1280", viewport: NARROW, colorScheme: "light", isKept: false },
  { suffix: "-1280-dark", viewport: NARROW, colorScheme: "dark", isKept: false },
  { suffix: "-phone-dark", viewport: PHONE, colorScheme: "dark", isKept: false },
] as const;

async function startServer(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", ...args],
    env,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return {
    url: await addressOf(child),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

const cookieOf = async (url: string) => ({ Cookie: `pr_session=${await signIn(url, DEMO_LOGIN)}` });

async function findBrowser(): Promise<string> {
  for (const place of PLACES) {
    try {
      if ((await Deno.stat(place)).isFile) return place;
    } catch {
      // `stat` throws for a missing file: try the next path.
    }
  }
  throw new Error(`No Chromium in ${PLACES.join(", ")}: install one`);
}

async function askOddPrices(url: string): Promise<void> {
  const cookie = await cookieOf(url);
  const read = async (path: string) => await (await fetch(url + path, { headers: cookie })).json();
  const links = await read("/api/competitor-products?limit=4");
  const products = await read("/api/products?limit=200");
  const skuOf = new Map<string, string>();
  for (const { id, sku } of products.items) skuOf.set(id, sku);
  const wanted = { name: "pictures", scopes: ["observations:write"] };
  const { key } = await (await post(url, "/api/keys", wanted, cookie)).json();
  const observedAt = new Date().toISOString();
  const observations = [];
  for (const { productId, url: page, currentPrice, currency } of links.items) {
    const sku = skuOf.get(productId);
    if (sku === undefined || typeof currentPrice !== "number") continue;
    const price = Number((currentPrice / 1_000).toFixed(2));
    observations.push({ sku, url: page, price, currency, inStock: true, observedAt });
  }
  const bearer = { Authorization: `Bearer ${key}` };
  await post(url, "/api/public/v1/observations", { observations }, bearer);
}

async function untilPastIsKnown(url: string): Promise<void> {
  const headers = await cookieOf(url);
  for (let tries = 0; tries < 120; tries++) {
    const { points } = await (await fetch(`${url}/api/market/trend?days=30`, { headers })).json();
    if (points.length > 30) return;
    await delay(1_000);
  }
  throw new Error("The shares of 30 days are not known after two minutes");
}

const [folder = null] = Deno.args;
await Deno.mkdir(folder ?? KEPT_FOLDER, { recursive: true });

async function draw(browser: Browser, url: string, screens: readonly Screen[]): Promise<void> {
  for (const { suffix, isKept, ...device } of DEVICES) {
    if (folder === null && !isKept) continue;
    const timeZone = { locale: "de-DE", timezoneId: "Europe/Berlin" };
    const context = await browser.newContext({ baseURL: url, ...device, ...timeZone });
    const value = await signIn(url, DEMO_LOGIN);
    await context.addCookies([{ name: "pr_session", value, url }]);
    const page = await context.newPage();
    for (const { name, path, act } of screens) {
      await page.goto(path, { waitUntil: "networkidle" });
      await act?.(page);
      await page.waitForLoadState("networkidle");
      await page.waitForTimeout(SETTLE_MS);
      const file = `${name}${suffix}.png`;
      const place = folder === null ? new URL(file, KEPT_FOLDER) : `${folder}/${file}`;
      await Deno.writeFile(place, await page.screenshot());
    }
    await context.close();
  }
}

async function drawAll(): Promise<void> {
  await using browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: ["--no-sandbox"],
  });
  {
    await using demo = await startServer(["demo", "--port", "0"]);
    await askOddPrices(demo.url);
    await untilPastIsKnown(demo.url);
    await draw(browser, demo.url, SCREENS);
  }
  await using data = await temporaryFolder();
  await using empty = await startServer(["start"], {
    ADMIN_EMAIL: DEMO_LOGIN.email,
    ADMIN_PASSWORD: DEMO_LOGIN.password,
    DATA_DIR: data.path,
    HOST: "127.0.0.1",
    PORT: "0",
    LOG_LEVEL: "warning",
  });
  await draw(browser, empty.url, FIRST_SCREENS);
}

await drawAll();
Deno.exit(0);
