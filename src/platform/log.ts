/** The log of this process, with one line per event, as JSON or text; secrets are redacted. */
import { mapValues } from "../base/collections.ts";
import { iso } from "../base/time.ts";

export const LOG_LEVELS = ["debug", "info", "warning", "error"] as const;
type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFormat = "json" | "text";

type Fields = Readonly<Record<string, unknown>>;

export type RoomLog = Readonly<Record<LogLevel, (event: string, fields?: Fields) => void>>;

interface LogRecord {
  readonly level: LogLevel;
  readonly room: string;
  readonly event: string;
  readonly fields: Fields;
  readonly atMs: number;
}

let sink: ((record: LogRecord) => void) | null = null;

/** Until `startLogging` is called, the log drops all records. */
export function roomLog(room: string): RoomLog {
  const at = (level: LogLevel) => (event: string, fields: Fields = {}) =>
    sink?.({ level, room, event, fields, atMs: Date.now() });
  return { debug: at("debug"), info: at("info"), warning: at("warning"), error: at("error") };
}

interface LogSetup {
  readonly level: LogLevel;
  readonly format: LogFormat;
  write(line: string): void;
}

let dropped = 0;

export function droppedLogLines(): number {
  return dropped;
}

export function startLogging({ level, format, write }: LogSetup): Disposable {
  const render = format === "json" ? jsonLine : textLine;
  const least = LOG_LEVELS.indexOf(level);
  let isCut = false;
  sink = (record) => {
    if (LOG_LEVELS.indexOf(record.level) < least) return;
    try {
      // Start a new line if the last write failed, because it may have written half a line.
      write(`${isCut ? "\n" : ""}${render(record)}\n`);
      isCut = false;
    } catch {
      isCut = true;
      dropped++;
    }
  };
  return { [Symbol.dispose]: () => sink = null };
}

function jsonLine(record: LogRecord): string {
  const { level, room, event } = record;
  const head = JSON.stringify({ at: iso(record.atMs), level, room, event });
  const fields = JSON.stringify(plain(record.fields));
  return printable(fields === "{}" ? head : `${head.slice(0, -1)},${fields.slice(1)}`);
}

function textLine(record: LogRecord): string {
  const fields = Object.entries(plain(record.fields))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === "string" ? JSON.stringify(value) : value}`);
  const { level, room, event } = record;
  return printable([iso(record.atMs), level.padEnd(7), room, event, ...fields].join(" "));
}

/** Converts errors to text with their causes, because `JSON.stringify` prints an error as `{}`. */
function plain(fields: Fields): Fields {
  if (!Object.values(fields).some((value) => value instanceof Error)) return fields;
  return mapValues(fields, (value) => value instanceof Error ? explain(value) : value);
}

function explain(error: Error): string {
  const cause = error.cause instanceof Error ? ` | caused by ${explain(error.cause)}` : "";
  return `${error.stack ?? error.message}${cause}`;
}

const SECRETS: readonly (readonly [sign: string, secret: RegExp])[] = [
  ["pk_live_", /(?<=pk_live_[0-9A-Za-z]{4})[0-9A-Za-z]+/g],
  ["pr_session=", /pr_session=[^;\s"]+/g],
  ["whsec_", /whsec_[0-9A-Za-z+/=]+/g],
  ["//", /(?<=\/\/[^/\s:@"]*:)[^/\s@"]+(?=@)/g],
];

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const NOT_PRINTABLE_ASCII = /[^\x20-\x7e]/;

/** Escapes unprintable characters and redacts secrets, because lines contain untrusted texts. */
function printable(line: string): string {
  return redact(NOT_PRINTABLE_ASCII.test(line) ? line.replace(UNSEEN, escaped) : line);
}

/** Escapes characters as JSON does, so that lines of JSON stay valid. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, n) => `\\u${character.charCodeAt(n).toString(16).padStart(4, "0")}`,
  ).join("");
}

function redact(line: string): string {
  let text = line;
  for (const [sign, secret] of SECRETS) {
    if (text.includes(sign)) text = text.replace(secret, "[redacted]");
  }
  return text;
}
