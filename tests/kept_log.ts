import { type LogFormat, startLogging } from "../src/platform/log.ts";

type Level = Parameters<typeof startLogging>[0]["level"];

export function keepLog(level: Level = "warning", format: LogFormat = "json") {
  let text = "";
  const logging = startLogging({ level, format, write: (lines) => void (text += lines) });
  const lines = () => text.split("\n").filter((line) => line !== "");
  return { text: () => text, lines, [Symbol.dispose]: () => logging[Symbol.dispose]() };
}
