import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { readConfig } from "../src/config.ts";
import { introductionOf } from "../src/scraper.ts";
import { startServer } from "./program.ts";
import { temporaryFolder } from "./temporary_folder.ts";

const introduced = (env: Record<string, string>) => introductionOf(readConfig((name) => env[name]));

Deno.test("a shop is told by the settings that are there how to reach the operator", () => {
  const table: readonly (readonly [Record<string, string>, string])[] = [
    [{ PUBLIC_URL: "https://preise.haendler.de/" }, "Kurant/1.0 (+https://preise.haendler.de)"],
    [{ MAIL_FROM: "preise@haendler.de" }, "Kurant/1.0 (preise@haendler.de)"],
    [{ MAIL_FROM: "Müllers (Preise) <preise@haendler.de>" }, "Kurant/1.0 (preise@haendler.de)"],
    [
      { PUBLIC_URL: "https://preise.haendler.de", MAIL_FROM: "p@haendler.de" },
      "Kurant/1.0 (+https://preise.haendler.de; p@haendler.de)",
    ],
    [
      { PUBLIC_URL: "http://localhost:8000", MAIL_FROM: "p@haendler.de" },
      "Kurant/1.0 (p@haendler.de)",
    ],
    [
      { PUBLIC_URL: "https://preise.haendler.de", MAIL_FROM: "prüfer@händler.de" },
      "Kurant/1.0 (+https://preise.haendler.de)",
    ],
    [
      { SCRAPE_USER_AGENT: "Other/2 (me)", PUBLIC_URL: "https://preise.haendler.de" },
      "Other/2 (me)",
    ],
  ];
  for (const [env, userAgent] of table) assertEquals(introduced(env), { userAgent, notice: null });
});

Deno.test("what leads nowhere is no way to reach the operator, and a start says so", async () => {
  const nowhere = [
    "http://localhost:8000",
    "http://10.0.0.7",
    "http://kurant",
    "http://[::1]:8000",
  ];
  for (const env of [{}, ...nowhere.map((PUBLIC_URL) => ({ PUBLIC_URL }))]) {
    const { userAgent, notice } = introduced(env);
    assertEquals(userAgent, "Kurant/1.0");
    match(notice ?? "", /PUBLIC_URL.*MAIL_FROM.*SCRAPE_USER_AGENT/);
  }
  await using folder = await temporaryFolder();
  await using server = await startServer({ DATA_DIR: folder.path });
  await server.printed(/listens/);
  const { err } = await server.stop("SIGTERM");
  match(err, /shops are not told how to reach you/);
});
