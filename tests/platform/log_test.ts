import { deepStrictEqual as assertEquals, match, ok } from "node:assert/strict";
import { type LogFormat, roomLog, startLogging } from "../../src/platform/log.ts";
import { keepLog } from "../kept_log.ts";
import { until } from "../patience.ts";

/** Characters that terminals or tools may interpret as line ends, commands or text direction. */
const HOSTILE = [
  ..."\n\r\0\x7f\u0085\u2028\u2029\u202e\u202a\u2067\u2069\u200f\u061c\u200b\ufeff\u{e0041}\ud800",
  // Escape sequences of terminals.
  ...["\x1b[2J", "\u009b31m"],
];
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

function linesOf(format: LogFormat, tell: () => void): string {
  using log = keepLog("debug", format);
  tell();
  return log.text();
}

for (const format of ["text", "json"] as const) {
  Deno.test(`a log event is one line of ${format} that contains everything`, () => {
    for (const character of HOSTILE) {
      const name = character.codePointAt(0)?.toString(16) ?? "";
      const path = `/a${character}2026-01-01T00:00:00.000Z error   http forged`;
      const error = new Error(`of ${path}`, { cause: new TypeError(character) });
      const fields = { path, error, [`x${character}`]: 1 };
      const text = linesOf(format, () => roomLog("http").info(`request ${character}`, fields));
      ok(text.endsWith("\n"), name);
      const line = text.slice(0, -1);
      assertEquals([name, UNSEEN.exec(line)], [name, null]);
      match(line, /forged/, name);
      if (format === "json") assertEquals([name, JSON.parse(line).path], [name, path]);
      else match(line, /^\d{4}-\d\d-\d\dT/, name);
    }
  });
}

Deno.test("ordinary text is logged as it is", () => {
  const path = "/käse/日本語/שלום/👩\u{1f3fd}";
  const text = linesOf("text", () => roomLog("http").info("request", { path }));
  ok(text.includes(`path="${path}"`), text);
});

Deno.test("texts in the form of a secret are never logged, and nothing else is removed", () => {
  const secrets: readonly (readonly [text: string, logged: string])[] = [
    ["pk_live_4fQ7abcdefghijklmnopqrstuvwxyz012345", "pk_live_4fQ7[redacted]"],
    ["pr_session=0a1b2c; Path=/", "[redacted]; Path=/"],
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw==", "[redacted]"],
    ["https://user:geheim@shop.example/feed", "https://user:[redacted]@shop.example/feed"],
    ["http://proxy.example:8080/a//b", "http://proxy.example:8080/a//b"],
    ["pk_live_", "pk_live_"],
  ];
  for (const format of ["text", "json"] as const) {
    for (const [first, firstLogged] of secrets) {
      for (const [second, secondLogged] of secrets) {
        const fields = { path: `ä ${first}`, error: new Error(`at ${second}`) };
        const text = linesOf(format, () => roomLog("http").warning("asked", fields));
        ok(text.includes(`ä ${firstLogged}`), `${first} in ${text}`);
        ok(text.includes(`at ${secondLogged}`), `${second} in ${text}`);
      }
    }
  }
});

for (const format of ["text", "json"] as const) {
  Deno.test(`a field without a value is left out of a line of ${format}`, () => {
    const text = linesOf(format, () => {
      roomLog("test").info("ended", { count: 3, error: undefined });
    });
    match(text, /count"?[=:]3/);
    ok(!text.includes("error"), text);
  });
}

/** Longer than the test takes, so that the timer never writes the lines. */
const GATHER_MS = 1_000;

Deno.test("consecutive lines are written together in order, and a warning is written at once", async () => {
  const written: string[][] = [];
  const write = (lines: string) => written.push([...lines.matchAll(/"event":"(\w+)/g)].map(nameOf));
  const log = roomLog("test");
  using _log = startLogging({ level: "info", format: "json", write, gatherMs: GATHER_MS });
  log.info("alone");
  log.info("first");
  log.info("second");
  assertEquals(written, [["alone"]]);
  await until("what was gathered is written", () => written.length === 2);
  log.info("before");
  log.error("urgent");
  log.info("behind");
  await until("all of it is written", () => written.flat().length === 6);
  assertEquals(written.slice(0, 3), [["alone"], ["first", "second"], ["before", "urgent"]]);
  assertEquals(written.flat().slice(5), ["behind"]);
});

Deno.test("a process has written every line when it ends", async () => {
  const log = new URL("../../src/platform/log.ts", import.meta.url).href;
  const code = `
    import { roomLog, startLogging } from "${log}";
    const write = (lines) => void Deno.stdout.writeSync(new TextEncoder().encode(lines));
    startLogging({ level: "info", format: "json", write, gatherMs: 60_000 });
    for (let n = 0; n < 100; n++) roomLog("test").info("line", { n });
    setTimeout(() => Deno.exit(0), 1);`;
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["eval", code] }).output();
  const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
  assertEquals(lines.map((line) => JSON.parse(line).n), Array.from({ length: 100 }, (_, n) => n));
});

const nameOf = ([, name = ""]: RegExpExecArray) => name;
