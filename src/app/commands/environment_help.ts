/** The environment as `--help` shows it, made from the one table that is checked at start. */
import { VARIABLES } from "../composition/config.ts";

export function environmentHelp(): string {
  const rows = Object.entries(VARIABLES).map(([name, variable]) => {
    const isSecret = "secret" in variable;
    const fallback = variable.fallback ? ` (default ${variable.fallback})` : "";
    return [isSecret ? `${name}[_FILE]` : name, `${variable.text}${fallback}`] as const;
  });
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
  return [
    "Environment:",
    ...lines,
    "",
    "Where [_FILE] stands, NAME_FILE may name a file that holds the value.",
  ].join("\n");
}
