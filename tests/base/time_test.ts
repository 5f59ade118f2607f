import { parseBound } from "../../src/base/time.ts";
import { deepStrictEqual as assertEquals } from "node:assert/strict";

Deno.test("parseBound() takes a bare date as its whole day in UTC, and an instant as itself", () => {
  const at = Date.parse;
  assertEquals(parseBound("2026-03-04", "start"), at("2026-03-04T00:00:00.000Z"));
  assertEquals(parseBound("2026-03-04", "end"), at("2026-03-04T23:59:59.999Z"));
  assertEquals(parseBound("2026-03-04T09:00:00+01:00", "end"), at("2026-03-04T08:00:00Z"));
  assertEquals(parseBound("2024-02-29", "start"), at("2024-02-29T00:00:00Z"));
});

Deno.test("parseBound() refuses text that is no instant", () => {
  const texts = ["", "2026-02-30", "2026-02-29T10:00:00Z", "2026-03-04T25:00:00Z", "04.03.2026"]
    .concat(["2026-03-04T09:00:00", "2026", "now", "2026-13-01", "1e9"]);
  // Without an offset the time zone of nine o'clock is unknown.
  assertEquals(texts.filter((text) => parseBound(text, "start") !== null), []);
});
