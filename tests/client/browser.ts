/** Opens a real browser for tests of the client, which are ignored without Chromium. */
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
} from "playwright-core";
import type { start, stop } from "../../src/client/main.tsx";
import { buildClient } from "../built_client.ts";
import {
  keepPorts,
  serveApp,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from "../harness.ts";
import { testNeeding } from "../needing.ts";
import { PATIENCE_MS } from "../patience.ts";
import { SCRAPING_ENV } from "../scraping/scraping_app.ts";
import { issueSetupToken } from "../../src/accounts/set_up.ts";

const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/**
 * Timers of 5 s or more take minutes, so that toasts stay visible in slow tests. Clicks pass
 * through toasts, except those about failures.
 */
const PATIENT_PAGE = `{
  const wait = window.setTimeout;
  window.setTimeout = (act, delayMs = 0, ...rest) =>
    wait(act, delayMs >= 5_000 ? ${PATIENCE_MS} : delayMs, ...rest);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".toast:not(.failed), .toast:not(.failed) * { pointer-events: none }");
  document.adoptedStyleSheets.push(sheet);
  const [read, draw] = [fetch, requestAnimationFrame];
  window.isChangedByTest = () => read !== fetch || draw !== requestAnimationFrame;
}`;

const EXECUTABLE = [Deno.env.get("CHROMIUM_PATH"), ...PLACES]
  .find((path) => path !== undefined && isFile(path)) ?? null;

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
}

interface VisitOptions {
  /** The session cookie as `name=value`; by default, nobody is signed in. */
  readonly cookie?: string;
  readonly viewport?: { width: number; height: number };
  readonly locale?: string;
  /** If given, the page's clock shows this time and stands still. */
  readonly now?: Date;
}

export interface TestBrowser {
  visit(base: string, options?: VisitOptions): Promise<Visit>;
  /** Opens a screen as the signed-in owner. */
  open(app: TestApp, path: string, options?: VisitOptions): Promise<Page>;
}

/**
 * A page that several tests use one after another, because opening a page takes longer than most
 * tests.
 */
interface KeptPage {
  /** Server address and language, which cannot change while the page is open. */
  readonly kind: string;
  readonly page: Page;
  readonly context: BrowserContext;
  readonly session: CDPSession;
}

const EVENTS = [
  "console",
  "dialog",
  "download",
  "filechooser",
  "pageerror",
  "popup",
  "request",
  "requestfailed",
  "requestfinished",
  "response",
] as const;

/** Turns off optimising compilers, whose work would not pay off in short tests. */
const BROWSER_FLAGS = ["--no-sandbox", "--js-flags=--no-maglev,--no-turbofan"];

const kept: KeptPage[] = [];
let started: Promise<Browser> | null = null;

/** All tests of a file share the browser, because starting it takes a second. */
function browserOfFile(executablePath: string): Promise<Browser> {
  started ??= chromium.launch({ executablePath, args: BROWSER_FLAGS, timeout: PATIENCE_MS });
  return started;
}

Deno.test.afterAll(async () => await (await started)?.close());

async function newPage(browser: Browser, base: string, locale: string): Promise<KeptPage> {
  const context = await browser.newContext({ baseURL: base, locale, reducedMotion: "reduce" });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(PATIENT_PAGE);
  const page = await context.newPage();
  startInPlace(page, base);
  const session = await context.newCDPSession(page);
  return { kind: kindOf(base, locale), page, context, session };
}

function kindOf(base: string, locale: string): string {
  return `${base} ${locale}`;
}

/**
 * Stops the client in a loaded page, and starts it again at `path`, if given. Returns false if the
 * page has no client, or the test has replaced `fetch` or `requestAnimationFrame`.
 */
async function restart(page: Page, path: string | null): Promise<boolean> {
  return await page.evaluate(async (path) => {
    const script = document.querySelector<HTMLScriptElement>('script[src^="/assets/main-"]');
    if (script === null || Reflect.get(window, "isChangedByTest")()) return false;
    const client: { start: typeof start; stop: typeof stop } = await import(script.src);
    client.stop();
    history.pushState(null, "", path ?? "/");
    if (path !== null) client.start();
    return true;
  }, path);
}

/**
 * Makes `goto` and `reload` restart the client in the loaded page, which takes a third of the time.
 * To load a screen completely, go to `about:blank` first.
 */
function startInPlace(page: Page, base: string): void {
  const [load, reload] = [page.goto.bind(page), page.reload.bind(page)];
  const isHere = () => page.url().startsWith(`${base}/`);
  page.goto = async (path, options) => {
    const isScreen = /^\/(?!api|docs|assets)/.test(path);
    return isScreen && isHere() && await restart(page, path) ? null : await load(path, options);
  };
  page.reload = async (options) => {
    const path = page.url().slice(base.length);
    return isHere() && await restart(page, path) ? null : await reload(options);
  };
}

/** Prepares the page for the next test; the client's scripts stay loaded. */
async function forget({ page, context, session }: KeptPage, base: string): Promise<void> {
  for (const event of EVENTS) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  if (!page.url().startsWith(`${base}/`) || !await restart(page, null)) {
    // `location.replace` keeps the browser process of the page, and with it the compiled scripts.
    await page.evaluate("location.replace('about:blank')");
    await page.waitForURL("about:blank");
  }
  await Promise.all(context.pages().filter((one) => one !== page).map((one) => one.close()));
  await session.send("Page.resetNavigationHistory");
  await session.send("Storage.clearDataForOrigin", { origin: base, storageTypes: "local_storage" });
  await context.clearCookies();
  await context.setOffline(false);
  await page.emulateMedia({ media: null });
  await page.mouse.move(0, 0);
}

interface OpenBrowser extends TestBrowser, AsyncDisposable {
  readonly complaints: readonly string[];
}

async function openBrowser(executablePath: string): Promise<OpenBrowser> {
  await buildClient();
  const browser = await browserOfFile(executablePath);
  const leave: (() => Promise<void>)[] = [];
  const complaints: string[] = [];
  const visit = async (base: string, options: VisitOptions = {}): Promise<Visit> => {
    const { cookie, viewport = { width: 1280, height: 800 }, locale = "de-DE", now } = options;
    // The changed clock of a page cannot be reset, so a visit with `now` gets a new page.
    const at = now ? -1 : kept.findIndex(({ kind }) => kind === kindOf(base, locale));
    const [found] = at < 0 ? [] : kept.splice(at, 1);
    const used = found ?? await newPage(browser, base, locale);
    const { page, context } = used;
    leave.push(async () => {
      if (now) return await context.close();
      await forget(used, base);
      kept.push(used);
    });
    const [name, value] = cookie?.split("=") ?? [];
    if (name && value) await context.addCookies([{ name, value, url: base }]);
    await page.setViewportSize(viewport);
    if (now) await page.clock.setFixedTime(now);
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      // The browser logs refused requests as errors, but tests may expect refusals.
      const isRefusal = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isRefusal) complaints.push(message.text());
    });
    return { page, context };
  };
  return {
    visit,
    open: async (app, path, options) => {
      const { page } = await visit(app.base, { cookie: app.ownerCookie, ...options });
      await page.goto(path);
      return page;
    },
    complaints,
    async [Symbol.asyncDispose]() {
      await Promise.all(leave.map((act) => act()));
    },
  };
}

keepPorts();

/** Also fails the test if a page logs an error or violates the content security policy. */
function testInBrowser(name: string, run: (browser: TestBrowser) => Promise<void>): void {
  testNeeding(EXECUTABLE ? null : "Chromium is not installed", {
    name,
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      if (EXECUTABLE === null) return;
      await using browser = await openBrowser(EXECUTABLE);
      await run(browser);
      assertEquals(browser.complaints, []);
    },
  });
}

export const withBrowser = { test: testInBrowser };

interface Screen {
  readonly app: TestApp;
  readonly browser: TestBrowser;
}

interface ScreenTests {
  test(name: string, run: (screen: Screen) => Promise<void>): void;
}

export function screenWith(start: () => Promise<TestApp>): ScreenTests {
  return {
    test: (name, run) =>
      testInBrowser(name, async (browser) => {
        await using app = await start();
        await run({ app, browser });
      }),
  };
}

export const onScreen = screenWith(() => startTestApp());

const now = () => new Date();

/** The service uses the real clock, because pages compare the service's times with real time. */
export const onNow = screenWith(() => startTestApp({ now }));

/** The service uses the real clock, and may visit shops on this machine. */
export const onTicking = screenWith(() => startTestApp({ now, env: SCRAPING_ENV }));

/** All tests share one app, which `fill` prepares. Each test must leave the app as it found it. */
export function testsOfOneApp(
  fill: (app: TestApp) => Promise<unknown>,
  options?: TestAppOptions,
): ScreenTests {
  let filled: Promise<TestApp> | null = null;
  const start = async () => {
    const app = await startTestApp(options);
    await fill(app);
    return app;
  };
  Deno.test.afterAll(async () => await (await filled)?.[Symbol.asyncDispose]());
  return {
    test: (name, run) =>
      testInBrowser(name, async (browser) => run({ app: await (filled ??= start()), browser })),
  };
}

/**
 * Opens a screen within the loaded page, as a link does. Loading the page takes three times as
 * long.
 */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`(async () => {
    const noScreen = "/gibt/es/nicht";
    const isThere = () => document.querySelector("main .empty a.main[href='/products']") !== null;
    const endMs = performance.now() + ${PATIENCE_MS};
    for (const path of [noScreen, ${JSON.stringify(path)}]) {
      history.pushState(null, "", path);
      dispatchEvent(new PopStateEvent("popstate"));
      while (isThere() !== (path === noScreen)) {
        if (performance.now() > endMs) throw new Error("Waited in vain for the screen " + path);
        await new Promise(requestAnimationFrame);
      }
    }
  })()`);
}

/** Delays requests to `address` until `release()`; `isSent` resolves at the first of them. */
export async function holdRequests(page: Page, address: string, method?: string) {
  const { promise: isFree, resolve: release } = Promise.withResolvers<void>();
  const { promise: isSent, resolve: sent } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (method !== undefined && route.request().method() !== method) return await route.fallback();
    sent();
    await isFree;
    await route.fallback();
  });
  return { isSent, release };
}

/**
 * Limits each page of the list at `path` to `limit` entries, so that few entries fill several
 * pages.
 */
export async function shortenPages(page: Page, path: string, limit: number): Promise<void> {
  const isPage = ({ pathname, searchParams }: URL) =>
    pathname === path && Number(searchParams.get("limit")) > limit;
  await page.route(isPage, async (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set("limit", String(limit));
    await route.fallback({ url: url.href });
  });
}

export async function addProducts(
  app: TestApp,
  products: readonly Readonly<Record<string, unknown>>[],
): Promise<string[]> {
  const key = await app.key(["products:write"]);
  const { data } = await key.act("/api/public/v1/products/batch", { items: products });
  return data.map(({ id }: { id: string }) => id);
}

export async function startEmptyApp(env: Record<string, string> = {}) {
  const served = await serveApp({ env, now: () => new Date() });
  const token = await issueSetupToken({ store: served.store, clock: served.app.clock });
  return { ...served, setUpPath: `/setup#token=${token}` };
}
