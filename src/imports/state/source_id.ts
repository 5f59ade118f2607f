import { composed, fold } from "../../base/text.ts";
import { SourceId } from "./import_source.ts";

const CHARACTERS_MAX = 60;
const FOLDED: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** An id that is made of a name, as nobody has it yet: `JTL, nachts` is `jtl-nachts`, then `jtl-nachts-2`. */
export function freeSourceId(name: string, taken: readonly string[]): string {
  const spelled = fold(name).replace(/[äöüß]/g, (letter) => FOLDED[letter] ?? "");
  const plain = composed(spelled, "NFD").replace(/\p{M}/gu, "").replace(/[^a-z0-9]+/g, "-")
    .slice(0, CHARACTERS_MAX).replace(/^-|-$/g, "");
  const base = SourceId.safeParse(plain).success ? plain : "source";
  for (let n = 1;; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!taken.includes(id)) return id;
  }
}
