/** Draws the pictures of `docs/screens/` from the demo, as a browser of people shows it. */
import { type BrowserContext, chromium } from "playwright-core";
import { DEMO_LOGIN } from "../src/demo/fill_demo.ts";

const FOLDER = new URL("../docs/screens/", import.meta.url);
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** Until what a screen asks for is there and drawn. */
const SETTLE_MS = 1_500;

const SCREENS = [
  { name: "overview", path: "/" },
  { name: "proposals", path: "/proposals?status=open" },
  { name: "rules", path: "/rules" },
  { name: "products", path: "/products" },
  { name: "runs", path: "/runs" },
  { name: "imports", path: "/imports" },
] as const;

const SIZES = [
  { suffix: "", width: 1280, height: 800 },
  { suffix: "-phone", width: 390, height: 844 },
] as const;

/** The demo in a process of its own; answers its address. */
async function startDemo(): Promise<{ url: string; stop(): Promise<void> }> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo", "--port", "0"],
    stdout: "piped",
    stderr: "inherit",
  });
  const child = command.spawn();
  const [seen, rest] = child.stdout.tee();
  void rest.pipeTo(new WritableStream());
  let text = "";
  for await (const part of seen.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes("Sign in as")) break;
  }
  const url = /listens on (\S+)/.exec(text)?.[1];
  if (url === undefined) throw new Error(`The demo did not start: ${text}`);
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(DEMO_LOGIN),
  });
  await answer.body?.cancel();
  const [name, value] = answer.headers.get("Set-Cookie")?.split(";")[0]?.split("=") ?? [];
  if (!name || !value) throw new Error(`The demo lets nobody in: ${answer.status}`);
  await context.addCookies([{ name, value, url }]);
}

async function findBrowser(): Promise<string> {
  for (const place of PLACES) {
    try {
      if ((await Deno.stat(place)).isFile) return place;
    } catch {
      // Not there: the next place may have it.
    }
  }
  throw new Error(`No Chromium in ${PLACES.join(", ")}: install one`);
}

const executablePath = await findBrowser();
const demo = await startDemo();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  await Deno.mkdir(FOLDER, { recursive: true });
  for (const { suffix, ...viewport } of SIZES) {
    const timeZone = { locale: "de-DE", timezoneId: "Europe/Berlin" };
    const context = await browser.newContext({ baseURL: demo.url, viewport, ...timeZone });
    await signIn(context, demo.url);
    const page = await context.newPage();
    for (const { name, path } of SCREENS) {
      await page.goto(path);
      await page.waitForTimeout(SETTLE_MS);
      await Deno.writeFile(new URL(`${name}${suffix}.png`, FOLDER), await page.screenshot());
    }
  }
} finally {
  await browser.close();
  await demo.stop();
}
Deno.exit(0);
