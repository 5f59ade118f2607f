/** Names of companies and groups are separated by semicolons, because they may contain commas. */

export function namesText(names: readonly string[]): string {
  return names.join("; ");
}

export function namesIn(text: string): string[] {
  return text.split(/[;\n]/).map((name) => name.trim()).filter((name) => name !== "");
}
