/** Logging to one stream, a JSON object or a line of text per event; never a secret in it. */
import { configure, getLogger, type LogRecord } from "@logtape/logtape";

export const LOG_LEVELS = ["debug", "info", "warning", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = "json" | "text";

type Fields = Readonly<Record<string, unknown>>;

/** The log of a room. */
export type RoomLog = Readonly<Record<LogLevel, (event: string, fields?: Fields) => void>>;

/** A logger of one room: `roomLog("http").info("request", {…})`. Silent until `startLogging`. */
export function roomLog(room: string): RoomLog {
  const logger = getLogger(["kurant", room]);
  const at = (level: LogLevel) => (event: string, properties: Fields = {}) =>
    logger.emit(recordOf(room, level, event, properties));
  return { debug: at("debug"), info: at("info"), warning: at("warning"), error: at("error") };
}

/**
 * As a whole record: one that the logger makes of an event and its fields takes half of a request's
 * time in the log, for templates and lazy values that no event here has.
 */
function recordOf(room: string, level: LogLevel, event: string, properties: Fields): LogRecord {
  const category = ["kurant", room];
  return {
    category,
    level,
    message: [event],
    rawMessage: event,
    properties,
    timestamp: Date.now(),
  };
}

/** Tells that the sink has read a record when it returns, so no copy is made. */
const READS_AT_ONCE = Symbol.for("LogTape.sinkSnapshotPolicy.immediate");

/** A write for each line takes a tenth of what a request takes. */
const GATHERED_MS = 5;
const GATHERED_LENGTH_MAX = 64 * 1024;

interface LogSetup {
  readonly level: LogLevel;
  readonly format: LogFormat;
  write(lines: string): void;
  /** Only tests change it. */
  readonly gatherMs?: number;
}

/**
 * Sends every record of `level` and above to `write`, a line each; those that follow another one within
 * 5 ms are written together. A warning or an error is never waited for. Called once, by a command.
 */
export async function startLogging(
  { level, format, write, gatherMs = GATHERED_MS }: LogSetup,
): Promise<void> {
  const render = format === "json" ? jsonLine : textLine;
  const lostLine = (lines: number) =>
    render(recordOf("log", "warning", "log lines were lost", { lines }));
  const add = gathering(write, gatherMs, lostLine);
  const stream = Object.assign(
    (record: LogRecord) => add(`${render(record)}\n`, PATIENT.has(record.level)),
    { [READS_AT_ONCE]: true },
  );
  await configure({
    reset: true,
    sinks: { stream },
    loggers: [
      { category: ["kurant"], sinks: ["stream"], lowestLevel: level },
      { category: ["logtape", "meta"], sinks: ["stream"], lowestLevel: "warning" },
    ],
  });
}

/** Lines that may wait for others. */
const PATIENT: ReadonlySet<string> = new Set<LogLevel>(["debug", "info"]);

let dropped = 0;

/** Lines of this process that its stream did not take, because its disk is full or its reader gone. */
export function droppedLogLines(): number {
  return dropped;
}

/**
 * The end of the process writes what has been gathered; nothing but kill -9 keeps it from that. Lines
 * that the stream does not take are dropped and counted: the log must not end the service. The next
 * lines that it takes begin with a line that says how many were lost.
 */
function gathering(
  write: (lines: string) => void,
  gatherMs: number,
  lostLine: (lines: number) => string,
) {
  let gathered = "";
  let lost = 0;
  let writtenAtMs = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const lines = gathered;
    gathered = "";
    if (lines === "") return;
    writtenAtMs = performance.now();
    try {
      // The stream may have taken a part of a line before it failed.
      write(lost === 0 ? lines : `\n${lostLine(lost)}\n${lines}`);
      lost = 0;
    } catch {
      const count = lines.split("\n").length - 1;
      lost += count;
      dropped += count;
    }
  };
  addEventListener("unload", flush);
  return (line: string, isPatient: boolean): void => {
    gathered += line;
    const isSoon = performance.now() - writtenAtMs < gatherMs;
    if (!isPatient || !isSoon || gathered.length >= GATHERED_LENGTH_MAX) return flush();
    timer ??= setTimeout(flush, gatherMs);
  };
}

function jsonLine(record: LogRecord): string {
  const { level, category, properties } = record;
  const room = category.at(-1);
  const head = JSON.stringify({ at: timeOf(record), level, room, event: messageOf(record) });
  const fields = JSON.stringify(plain(properties));
  // Copying the fields behind the rest into one object would cost as much as writing them.
  return shown(fields === "{}" ? head : `${head.slice(0, -1)},${fields.slice(1)}`);
}

let second = NaN;
let untilSecond = "";

/** In ISO 8601. Many lines of a busy server are of one second, whose text is made once. */
function timeOf({ timestamp }: LogRecord): string {
  const ms = timestamp % 1_000;
  if (timestamp - ms !== second) {
    second = timestamp - ms;
    untilSecond = new Date(second).toISOString().slice(0, -"000Z".length);
  }
  return `${untilSecond}${String(ms).padStart(3, "0")}Z`;
}

function textLine(record: LogRecord): string {
  // Fields without a value are missing in lines of JSON, too.
  const fields = Object.entries(plain(record.properties))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === "string" ? JSON.stringify(value) : value}`);
  const words = [
    timeOf(record),
    record.level.padEnd(7),
    record.category.at(-1),
    messageOf(record),
    ...fields,
  ];
  return shown(words.join(" "));
}

function messageOf({ message }: LogRecord): string {
  return message.length === 1 ? String(message[0]) : message.map(String).join("");
}

/** Errors become text with their causes: `JSON.stringify` would print them as `{}`. */
function plain(properties: Fields): Fields {
  if (!hasError(properties)) return properties;
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      value instanceof Error ? explain(value) : value,
    ]),
  );
}

function hasError(properties: Fields): boolean {
  for (const name in properties) if (properties[name] instanceof Error) return true;
  return false;
}

function explain(error: Error): string {
  const cause = error.cause instanceof Error ? ` | caused by ${explain(error.cause)}` : "";
  return `${error.stack ?? error.message}${cause}`;
}

/**
 * Patterns of secrets, each with a sign that every line with one contains: searching for the sign
 * is cheaper.
 */
const SECRETS: readonly (readonly [sign: string, secret: RegExp])[] = [
  ["pk_live_", /(?<=pk_live_[0-9A-Za-z]{4})[0-9A-Za-z]+/g],
  ["pr_session=", /pr_session=[^;\s"]+/g],
  ["whsec_", /whsec_[0-9A-Za-z+/=]+/g],
  ["//", /(?<=\/\/[^/\s:@"]*:)[^/\s@"]+(?=@)/g],
];

/**
 * Characters that end a line, move the cursor or turn the direction of reading: all control and
 * format characters, line and paragraph separators, halves of characters.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Of a line that needs a closer look; most need none. */
const NOT_PRINTABLE_ASCII = /[^\x20-\x7e]/;

/** One line, whatever strangers wrote into it: names of paths, headers, messages of errors. */
function shown(line: string): string {
  return redact(NOT_PRINTABLE_ASCII.test(line) ? line.replace(UNSEEN, escaped) : line);
}

/** As JSON writes them, so that a line of JSON stays the same JSON; both halves of a large one. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** By shape, as a last net: no code logs a secret on purpose. */
function redact(line: string): string {
  let text = line;
  for (const [sign, secret] of SECRETS) {
    if (text.includes(sign)) text = text.replace(secret, "[redacted]");
  }
  return text;
}
