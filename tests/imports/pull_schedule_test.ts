/** Planned times of fetches and of expected files, checked minute by minute. */
import { MINUTE_MS } from "../../src/base/time.ts";
import fc from "fast-check";
import { deepStrictEqual as assertEquals } from "node:assert/strict";
import { type Day, DAYS } from "../../src/imports/choices.ts";
import { freeId } from "../../src/imports/profiles/xml_profile.ts";
import { lastTimeOf, missedTime, plannedTime } from "../../src/imports/state/import_source.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const YEAR_MINUTES = 365 * 24 * 60;
const ZONES = ["Europe/Berlin", "UTC", "America/New_York", "Asia/Kathmandu"];

const minute = fc.integer({ min: 0, max: YEAR_MINUTES }).map((n) =>
  new Date(START + n * MINUTE_MS)
);
const by = fc.integer({ min: 0, max: 1_439 }).map((n) =>
  `${String(Math.floor(n / 60)).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}`
);
const days = fc.subarray([...DAYS], { minLength: 1 });

/** Formatters are kept, because creating one takes longer than a hundred uses. */
const CLOCKS = new Map(ZONES.map((timeZone) => {
  const shown = { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit" } as const;
  return [timeZone, new Intl.DateTimeFormat("en-GB", { ...shown, hourCycle: "h23" })];
}));

function wall(at: Date, timeZone: string): { day: Day; time: string } {
  const parts = CLOCKS.get(timeZone)?.formatToParts(at) ?? [];
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return { day: of("weekday").toLowerCase() as Day, time: `${of("hour")}:${of("minute")}` };
}

Deno.test("lastTimeOf() is the last minute with this local time", () => {
  fc.assert(
    fc.property(minute, by, days, fc.constantFrom(...ZONES), (now, by, days, timeZone) => {
      const last = lastTimeOf({ by, days }, now, timeZone);
      const local = wall(last, timeZone);
      // A time that the change to summer time skips counts an hour later on that day.
      if (local.time !== by) return;
      assertEquals(days.includes(local.day), true);
      assertEquals(last <= now, true);
      for (let at = last.getTime() + 30 * MINUTE_MS; at <= now.getTime(); at += MINUTE_MS) {
        const { day, time } = wall(new Date(at), timeZone);
        // In an hour that occurs twice, only the first occurrence counts.
        if (time === by && days.includes(day) && at - last.getTime() > 90 * MINUTE_MS) {
          throw new Error(`${new Date(at).toISOString()} is later`);
        }
        if (at - last.getTime() > 2 * 24 * 60 * MINUTE_MS) return;
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("plannedTime() counts periods from the time of saving, and ignores earlier times", () => {
  const since = new Date("2026-03-02T09:07:00Z");
  const at = (text: string) => new Date(text);
  const planned = (schedule: Parameters<typeof plannedTime>[0], now: string) =>
    plannedTime(schedule, { since, now: at(now), timeZone: "Europe/Berlin" })?.toISOString() ??
      null;
  const cases: [Parameters<typeof plannedTime>[0], string, string | null][] = [
    [{ every: "15m" }, "2026-03-02T09:21:59Z", null],
    [{ every: "15m" }, "2026-03-02T09:22:00Z", "2026-03-02T09:22:00.000Z"],
    [{ every: "1h" }, "2026-03-02T12:00:00Z", "2026-03-02T11:07:00.000Z"],
    [{ every: "24h" }, "2026-03-05T09:06:59Z", "2026-03-04T09:07:00.000Z"],
    [{ at: "06:00", days: [...DAYS] }, "2026-03-02T20:00:00Z", null],
    [{ at: "06:00", days: [...DAYS] }, "2026-03-03T04:59:59Z", null],
    [{ at: "06:00", days: [...DAYS] }, "2026-03-03T05:00:00Z", "2026-03-03T05:00:00.000Z"],
    [{ at: "06:00", days: ["wed"] }, "2026-03-03T12:00:00Z", null],
    [{ at: "06:00", days: ["wed"] }, "2026-03-06T12:00:00Z", "2026-03-04T05:00:00.000Z"],
    // Summer time begins on 29 March.
    [{ at: "06:00", days: ["sun"] }, "2026-03-29T12:00:00Z", "2026-03-29T04:00:00.000Z"],
    [{ at: "02:30", days: ["sun"] }, "2026-03-29T12:00:00Z", "2026-03-29T01:30:00.000Z"],
  ];
  for (const [schedule, now, wanted] of cases) {
    assertEquals(planned(schedule, now), wanted, JSON.stringify([schedule, now]));
  }
});

Deno.test("missedTime() waits for the time, counts imports since the previous one, and ignores paused and new sources", () => {
  const daily = { by: "06:00", days: [...DAYS] };
  const source = { expected: daily, pausedAt: null, updatedAt: "2026-03-01T12:00:00Z" };
  const due = "2026-03-03T05:00:00.000Z";
  const cases: [
    Partial<typeof source> | { pausedAt: string },
    string | null,
    string,
    string | null,
  ][] = [
    [{}, "2026-03-02T23:30:00Z", "2026-03-03T08:00:00Z", null],
    [{}, "2026-03-02T04:59:00Z", "2026-03-03T08:00:00Z", due],
    [{}, null, "2026-03-03T08:00:00Z", due],
    [{}, null, "2026-03-03T05:00:00Z", due],
    [{}, "2026-03-01T23:30:00Z", "2026-03-03T04:59:00Z", null],
    [{}, "2026-03-03T07:00:00Z", "2026-03-03T08:00:00Z", null],
    [{ pausedAt: "2026-03-02T12:00:00Z" }, null, "2026-03-03T08:00:00Z", null],
    [{ updatedAt: "2026-03-03T06:00:00Z" }, null, "2026-03-03T08:00:00Z", null],
    [
      { expected: { by: "06:00", days: ["mon"] } },
      "2026-03-01T00:00:00Z",
      "2026-03-03T08:00:00Z",
      null,
    ],
    [
      { expected: { by: "06:00", days: ["mon"] }, updatedAt: "2026-02-01T00:00:00Z" },
      "2026-02-23T04:00:00Z",
      "2026-03-03T08:00:00Z",
      "2026-03-02T05:00:00.000Z",
    ],
  ];
  for (const [change, succeededAt, now, wanted] of cases) {
    const asked = { ...source, ...change };
    assertEquals(
      missedTime(asked, succeededAt, new Date(now), "Europe/Berlin"),
      wanted,
      JSON.stringify([change, succeededAt, now]),
    );
  }
});

Deno.test("freeId() folds a name and adds a number if it is taken", () => {
  const cases: [string, string[], string][] = [
    ["JTL, nachts", [], "jtl-nachts"],
    ["JTL, nachts", ["jtl-nachts", "jtl-nachts-2"], "jtl-nachts-3"],
    ["Größe & Maß: Çelik", [], "groesse-mass-celik"],
    ["日本", [], "source"],
    ["日本", ["source"], "source-2"],
    ["default", ["default"], "default-2"],
    ["-", [], "source"],
    ["x".repeat(200), [], "x".repeat(60)],
  ];
  for (const [name, taken, wanted] of cases) {
    assertEquals(freeId(name, "source", (id) => taken.includes(id)), wanted);
  }
});
