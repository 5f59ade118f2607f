/** Results of a load: tables to read, and checks that must pass on any machine. */
import { MINUTE_MS } from "../../src/base/time.ts";
import type { Ledger, NotedCall } from "./calls.ts";
import { type Beat, quantile, type Sample } from "./process_figures.ts";

export interface Restart {
  readonly code: number;
  readonly fromMs: number;
  readonly stoppedAtMs: number;
  readonly untilMs: number;
  readonly errorLines: readonly string[];
}

export interface Figures {
  readonly beganAtMs: number;
  readonly minutes: number;
  readonly noted: readonly NotedCall[];
  readonly samples: readonly Sample[];
  readonly beats: readonly Beat[];
  readonly atStart: Sample | null;
  readonly atEnd: Sample | null;
  readonly restart: Restart;
  readonly receivedPrices: number;
  readonly ledger: Ledger;
  readonly losses: readonly string[];
  readonly errorLines: readonly string[];
}

/** Allowed growth of memory, from the second to the last measured minute. */
const GROWTH_MAX = 1.2;
const DESCRIPTORS_SLACK = 5;
const SHOWN_MAX = 20;

export function judge(figures: Figures): string[] {
  const { restart, losses, errorLines } = figures;
  const wrong = figures.noted.filter((call) => !call.isExpected && !isExcused(call, restart));
  return [
    ...wrong.slice(0, SHOWN_MAX).map(({ kind, status, text }) => `${kind} got ${status}: ${text}`),
    ...(wrong.length > SHOWN_MAX ? [`${wrong.length - SHOWN_MAX} more wrong answers`] : []),
    ...(restart.code === 0 ? [] : [`SIGTERM ended the server with ${restart.code}`]),
    ...errorLines.slice(0, SHOWN_MAX).map((line) => `logged as an error: ${line}`),
    ...losses,
    ...growthOf(figures),
    ...descriptorsOf(figures),
  ];
}

/** During a restart, connections may break, and the old server may answer 503. */
function isExcused({ status, beganAtMs, endedAtMs }: NotedCall, restart: Restart): boolean {
  const meets = beganAtMs <= restart.untilMs && endedAtMs >= restart.fromMs;
  return meets && (status === 0 || status === 503);
}

function growthOf({ samples, beganAtMs, minutes }: Figures): string[] {
  const [second, last] = [2, minutes].map((minute) => residentIn(samples, beganAtMs, minute));
  if (second === undefined || last === undefined) return [];
  if (last <= second * GROWTH_MAX) return [];
  return [`memory grew from ${second.toFixed(0)} MB in minute 2 to ${last.toFixed(0)} MB`];
}

function descriptorsOf({ atStart, atEnd }: Figures): string[] {
  if (!atStart || !atEnd) return [];
  if (Math.abs(atEnd.descriptors - atStart.descriptors) <= DESCRIPTORS_SLACK) return [];
  return [`${atStart.descriptors} descriptors at the start, ${atEnd.descriptors} at the end`];
}

function inMinute<T extends { readonly atMs: number }>(
  all: readonly T[],
  beganAtMs: number,
  minute: number,
): T[] {
  const fromMs = beganAtMs + (minute - 1) * MINUTE_MS;
  return all.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + MINUTE_MS);
}

function residentIn(
  samples: readonly Sample[],
  beganAtMs: number,
  minute: number,
): number | undefined {
  const found = inMinute(samples, beganAtMs, minute).map(({ residentMb }) => residentMb);
  if (found.length === 0) return undefined;
  return found.reduce((sum, each) => sum + each, 0) / found.length;
}

export function tablesOf(figures: Figures): string[] {
  return [minutesTable(figures), callsTable(figures), outcomeTable(figures)];
}

function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function minutesTable({ samples, beats, noted, beganAtMs, minutes }: Figures): string {
  const head = "Minute,calls,memory MB (mean; max),descriptors,/healthz ms (p50; p99)".split(",");
  const calls = noted.map((call) => ({ atMs: call.endedAtMs }));
  const rows = Array.from({ length: minutes }, (_, n) => {
    const taken = inMinute(samples, beganAtMs, n + 1);
    const delays = inMinute(beats, beganAtMs, n + 1).map(({ tookMs }) => tookMs);
    const mean = residentIn(samples, beganAtMs, n + 1)?.toFixed(0) ?? "no /proc here";
    const most = Math.max(0, ...taken.map(({ residentMb }) => residentMb)).toFixed(0);
    return [
      n + 1,
      inMinute(calls, beganAtMs, n + 1).length,
      `${mean}, ${most}`,
      Math.max(0, ...taken.map(({ descriptors }) => descriptors)),
      `${quantile(delays, 0.5).toFixed(1)}, ${quantile(delays, 0.99).toFixed(0)}`,
    ];
  });
  return tableOf(head, rows);
}

function callsTable({ noted, beganAtMs, minutes }: Figures): string {
  const untilMs = beganAtMs + minutes * MINUTE_MS;
  const measured = noted.filter(({ beganAtMs: atMs }) => atMs >= beganAtMs && atMs < untilMs);
  const rows = [...Map.groupBy(measured, ({ kind }) => kind)].map(([kind, calls]) => {
    const times = calls.map((call) => call.endedAtMs - call.beganAtMs);
    const counts = [...Map.groupBy(calls, ({ status }) => status)].sort(([a], [b]) => a - b)
      .map(([status, { length }]) => `${length} × ${status || "broken"}`);
    const at = (share: number) => quantile(times, share).toFixed(1);
    return [kind, counts.join(", "), at(0.5), at(0.99), at(1)];
  });
  const answers = `answers in ${minutes} minutes (number × status)`;
  return tableOf(["Call", answers, "p50 ms", "p99 ms", "max ms"], rows);
}

function outcomeTable({ restart, noted, ledger, receivedPrices, atStart, atEnd, losses }: Figures) {
  const excused = noted.filter((call) => !call.isExpected && isExcused(call, restart));
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const shown = (sample: Sample | null) =>
    sample ? `${sample.residentMb.toFixed(0)} MB, ${sample.descriptors} descriptors` : "no /proc";
  const observations = [...ledger.pushed.values()].reduce((sum, { size }) => sum + size, 0);
  const next = seconds(restart.untilMs - restart.stoppedAtMs);
  return tableOf(["What", "Measured"], [
    ["SIGTERM to the end of the process", seconds(restart.stoppedAtMs - restart.fromMs)],
    ["from the end of the process to the next answer", next],
    ["calls during the restart that broke off or got 503", excused.length],
    ["acknowledged products; observations", `${ledger.created.size}; ${observations}`],
    ["imports of 2,000 records; scrape runs", `${ledger.imports.length}; ${ledger.runs.size}`],
    ["acknowledged changes of prices; proposals", `${ledger.prices.size}; ${ledger.approved.size}`],
    ["received different changes of prices", receivedPrices],
    ["writes and events lost or doubled", losses.length],
    ["memory and descriptors before the load", shown(atStart)],
    ["memory and descriptors after the load, in the restarted process", shown(atEnd)],
  ]);
}
