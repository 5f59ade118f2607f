/**
 * Takes the screenshots of `docs/screens/` from the demo and from an empty workspace, in a real
 * browser. With a folder as its argument, the script saves all widths and colour schemes in this
 * folder.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { DEMO_LOGIN } from "../src/app/demo/fill_demo.ts";

const KEPT_FOLDER = new URL("../docs/screens/", import.meta.url);
const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/chromium-headless-shell",
];
const SETTLE_MS = 1_000;

interface Login {
  readonly email: string;
  readonly password: string;
}

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
  { name: "repairs", path: "/competitors/repairs" },
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

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: string,
): Promise<Server> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", ...args],
    env,
    stdout: "piped",
    stderr: "inherit",
  });
  const child = command.spawn();
  const [seen, rest] = child.stdout.tee();
  void rest.pipeTo(new WritableStream());
  let text = "";
  for await (const part of seen.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes(ready)) break;
  }
  const url = /listens on (\S+)/.exec(text)?.[1];
  if (url === undefined) throw new Error(`${args.join(" ")} did not start: ${text}`);
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

async function cookieOf(url: string, login: Login): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(login),
  });
  await answer.body?.cancel();
  const cookie = answer.headers.get("Set-Cookie")?.split(";")[0];
  if (!cookie) throw new Error(`${url} lets nobody in: ${answer.status}`);
  return cookie;
}

async function signIn(context: BrowserContext, url: string, login: Login): Promise<void> {
  const [name = "", value = ""] = (await cookieOf(url, login)).split("=");
  await context.addCookies([{ name, value, url }]);
}

async function findBrowser(): Promise<string> {
  for (const place of PLACES) {
    try {
      if ((await Deno.stat(place)).isFile) return place;
    } catch {
      // There is no file at `place`.
    }
  }
  throw new Error(`No Chromium in ${PLACES.join(", ")}: install one`);
}

async function askOddPrices(url: string, login: Login): Promise<void> {
  const headers = { "Content-Type": "application/json", Cookie: await cookieOf(url, login) };
  const send = async (path: string, body: unknown, more: Record<string, string> = {}) => {
    const init = { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) };
    const answer = await fetch(url + path, init);
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
    return await answer.json();
  };
  const links = await (await fetch(`${url}/api/competitor-products?limit=4`, { headers })).json();
  const products = await (await fetch(`${url}/api/products?limit=200`, { headers })).json();
  const skuOf = new Map<string, string>();
  for (const { id, sku } of products.items) skuOf.set(id, sku);
  const { key } = await send("/api/keys", { name: "pictures", scopes: ["observations:write"] });
  const observedAt = new Date().toISOString();
  const observations = [];
  for (const { productId, url: page, currentPrice, currency } of links.items) {
    const sku = skuOf.get(productId);
    if (sku === undefined || typeof currentPrice !== "number") continue;
    const price = (currentPrice / 1_000).toFixed(2);
    observations.push({
      sku,
      url: page,
      price: Number(price),
      currency,
      inStock: true,
      observedAt,
    });
  }
  const bearer = { Authorization: `Bearer ${key}`, Cookie: "" };
  await send("/api/public/v1/observations", { observations }, bearer);
}

async function untilPastIsKnown(url: string, login: Login): Promise<void> {
  const headers = { Cookie: await cookieOf(url, login) };
  for (let tries = 0; tries < 120; tries++) {
    const { points } = await (await fetch(`${url}/api/market/trend?days=30`, { headers })).json();
    if (points.length > 30) return;
    await delay(1_000);
  }
  throw new Error("The shares of 30 days are not known after two minutes");
}

interface Drawing {
  readonly browser: Browser;
  readonly server: Server;
  readonly login: Login;
  readonly screens: readonly Screen[];
  /** Folder for the screenshots; null for `docs/screens`. */
  readonly folder: string | null;
}

async function draw({ browser, server, login, screens, folder }: Drawing): Promise<void> {
  for (const { suffix, isKept, ...device } of DEVICES) {
    if (folder === null && !isKept) continue;
    const timeZone = { locale: "de-DE", timezoneId: "Europe/Berlin" };
    const context = await browser.newContext({ baseURL: server.url, ...device, ...timeZone });
    await signIn(context, server.url, login);
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

const [folder = null] = Deno.args;
await Deno.mkdir(folder ?? KEPT_FOLDER, { recursive: true });
const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: ["--no-sandbox"],
});
try {
  const demo = await startServer(["demo", "--port", "0"], {}, "Sign in as");
  try {
    await askOddPrices(demo.url, DEMO_LOGIN);
    await untilPastIsKnown(demo.url, DEMO_LOGIN);
    await draw({ browser, server: demo, login: DEMO_LOGIN, screens: SCREENS, folder });
  } finally {
    await demo.stop();
  }
  const dataDir = await Deno.makeTempDir();
  const { email, password } = DEMO_LOGIN;
  const firstUser = { ADMIN_EMAIL: email, ADMIN_PASSWORD: password };
  const env = {
    ...firstUser,
    DATA_DIR: dataDir,
    HOST: "127.0.0.1",
    PORT: "0",
    LOG_LEVEL: "warning",
  };
  const empty = await startServer(["start"], env, "listens on");
  try {
    await draw({ browser, server: empty, login: DEMO_LOGIN, screens: FIRST_SCREENS, folder });
  } finally {
    await empty.stop();
    await Deno.remove(dataDir, { recursive: true });
  }
} finally {
  await browser.close();
}
Deno.exit(0);
