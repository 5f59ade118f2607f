/** Company names are separated by semicolons, because a name may contain commas. */

export function namesText(names: readonly string[]): string {
  return names.join("; ");
}

export function namesIn(text: string): string[] {
  return text.split(/[;\n]/).map((name) => name.trim()).filter((name) => name !== "");
}
