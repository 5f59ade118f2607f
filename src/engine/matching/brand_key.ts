import { atomsOf } from "./title_atoms.ts";

/** Legal forms and words that a brand is written with and without. */
const LITTLE = new Set(
  "gmbh ag kg co se inc corp corporation company ltd llc the by and und international group".split(
    " ",
  ),
);

/** A brand as it is compared: its words with one blank between two; empty for none. */
export function brandKey(text: string | null | undefined): string {
  const words = atomsOf(text ?? "").map(({ word }) => word);
  const telling = words.filter((word) => !LITTLE.has(word));
  return (telling.length > 0 ? telling : words).join(" ");
}

/** True for one brand: `Bosch` and `Bosch Professional`, `Team Pro Mark` and `Team Promark`. */
export function areOneBrand(one: string, other: string): boolean {
  if (one === "" || other === "") return false;
  const [a, b] = [one.replaceAll(" ", ""), other.replaceAll(" ", "")];
  return a === b || `${one} `.startsWith(`${other} `) || `${other} `.startsWith(`${one} `);
}
