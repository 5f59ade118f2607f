/** Names of columns of tables, as they compare. */
/** What is longer is no name: its beginning is compared. */
const NAME_CHARS_MAX = 200;

/** A column's name as it compares: letters and digits alone, small, umlauts written out. */
export function foldedName(name: string): string {
  return name.slice(0, NAME_CHARS_MAX).normalize("NFC").toLowerCase()
    .replace(/ä/g, "ae").replace(/ö/g, "oe").replace(/ü/g, "ue").replace(/ß/g, "ss")
    .normalize("NFD").replace(/[^a-z0-9]/g, "");
}

/** Where a column stands, by its name, else by its name folded, or by its number; -1 for nowhere. */
export function columnAt(name: string, names: readonly string[]): number {
  const number = /^#(\d{1,4})$/.exec(name)?.[1];
  if (number !== undefined) return Number(number) <= names.length ? Number(number) - 1 : -1;
  const exact = names.indexOf(name.trim());
  if (exact >= 0) return exact;
  const folded = foldedName(name);
  return folded === "" ? -1 : names.findIndex((other) => foldedName(other) === folded);
}
