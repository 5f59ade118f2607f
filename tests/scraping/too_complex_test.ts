import { fromKeys } from "../../src/base/collections.ts";
import { PAGE_STATUSES } from "../../src/engine/extraction/page_status.ts";
import { TooComplex } from "../../src/base/failure.ts";
import { NO_FACTS } from "../../src/engine/extraction/page_facts.ts";
import { createBodyRoom } from "../../src/platform/fetch/body_room.ts";
import { transact } from "../../src/platform/store/kv.ts";
import { fetchPage } from "../../src/scraping/page/visit.ts";
import { NO_LESSON, NOT_LEARNING, type ShopReader } from "../../src/scraping/page/scraper.ts";
import { judgeByRobots, saveRobots } from "../../src/scraping/page/robots_file.ts";
import { createRobotsCache } from "../../src/scraping/page/robots_rules.ts";
import { withStore } from "../memory_store.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

const tooMuch = () => Promise.reject(new TooComplex("The time is up"));
/** A reader that finds every text too complex. */
const weary: ShopReader = { page: tooMuch, robots: tooMuch };
const now = () => new Date("2026-03-02T09:00:00.000Z");

Deno.test("a page that is too complex fails with a code, and causes no back-off", async () => {
  const fetched = await fetchPage({
    reader: weary,
    bodies: createBodyRoom(),
    pages: fromKeys(PAGE_STATUSES, () => 0),
    timeoutMs: 1_000,
    bytesMax: 1_000,
    safeFetch: ({ url }) =>
      Promise.resolve({
        kind: "answer",
        url,
        status: 200,
        headers: new Headers({ "Content-Type": "text/html", ETag: '"1"' }),
        body: new Uint8Array(10),
      }),
  }, {
    reading: { partition: "w" },
    url: "https://shop.example/p",
    askedUrl: "https://shop.example/p",
    extractor: null,
    product: null,
    learning: NOT_LEARNING,
    allows: () => Promise.resolve(true),
    signal: new AbortController().signal,
    now,
  });
  assertEquals(fetched, {
    answer: {
      kind: "failed",
      httpStatus: 200,
      errorCode: "too_complex",
      message: "The page is too complex to read: The time is up",
      alternatives: [],
      facts: NO_FACTS,
      lesson: NO_LESSON,
      trace: [],
    },
    aftermath: { kind: "fine" },
  });
});

withStore.test("a robots.txt that is too complex forbids all visits of its shop, with this reason", async (store) => {
  const url = new URL("https://shop.example/p");
  await transact({ store }, (write) => {
    const text = "User-agent: *\nDisallow: /q";
    const expiresAtMs = now().getTime() + 60_000;
    const robots = { kind: "text", text, expiresAtMs, errorCode: null, message: null } as const;
    saveRobots(write, url.origin, "1", robots);
    return Promise.resolve();
  });
  const asker = { store, userAgent: "Kurant/1.0", permit: { partition: "w" } };
  const verdict = await judgeByRobots({ ...asker, reader: weary }, url, now().getTime());
  assertEquals(verdict, {
    kind: "refused",
    errorCode: "too_complex",
    message: "robots.txt of the shop is too much work to read: The time is up",
    isAnswered: true,
  });
});

withStore.test("a robots.txt is sent to the Worker once per version, however often it is used", async (store) => {
  const origin = "https://shop.example";
  const save = (version: string, text: string) =>
    transact({ store }, (write) => {
      const expiresAtMs = now().getTime() + 60_000;
      const robots = { kind: "text", text, expiresAtMs, errorCode: null, message: null } as const;
      saveRobots(write, origin, version, robots);
      return Promise.resolve();
    });
  const cache = createRobotsCache();
  const handed: string[] = [];
  const reader: Pick<ShopReader, "robots"> = {
    robots: (question) => {
      if (question.text !== null) handed.push(question.text);
      return Promise.resolve(cache(question));
    },
  };
  const asker = { store, reader, userAgent: "Kurant/1.0", permit: { partition: "w" } };
  const kindOf = async (path: string) =>
    (await judgeByRobots(asker, new URL(origin + path), now().getTime())).kind;
  await save("1", "User-agent: *\nDisallow: /a");
  const before = [await kindOf("/a"), await kindOf("/b"), await kindOf("/a")];
  await save("2", "User-agent: *\nDisallow: /b");
  const after = [await kindOf("/a"), await kindOf("/b"), await kindOf("/a")];
  assertEquals([before, after], [
    ["refused", "allowed", "refused"],
    ["allowed", "refused", "allowed"],
  ]);
  assertEquals(handed, ["User-agent: *\nDisallow: /a", "User-agent: *\nDisallow: /b"]);
});

Deno.test("the cache of robots.txt files drops the least recently used one", () => {
  const ask = createRobotsCache();
  const question = { token: "kurant", url: "https://shop.example/p" };
  const text = `User-agent: *\nDisallow: /q\n${"#".repeat(500_000)}`;
  const tell = (n: number) => ask({ ...question, file: `file ${n}`, text });
  const knows = (n: number) => ask({ ...question, file: `file ${n}`, text: null }).kind === "known";
  for (let n = 0; n < 7; n++) tell(n);
  assertEquals(knows(0), true);
  tell(7);
  assertEquals([0, 1, 2, 7].map(knows), [true, false, true, true]);
});
