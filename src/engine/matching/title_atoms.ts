/** A title as runs of letters and numbers, and what stands between them. */
import { foldTitle, foldWord } from "./fold_title.ts";

/** No honest title has more; what follows is not read. */
const ATOMS_MAX = 120;
const RUN_UNITS_MAX = 60;

/** A run of letters, or a number with its points and commas. */
export interface Atom {
  readonly isWord: boolean;
  /** Folded, as the title has it. */
  readonly text: string;
  /** Of letters, without the `e` of a written umlaut; of a number its digits. */
  readonly word: string;
  /** The digits of a number; null for letters. */
  readonly digits: string | null;
  /** Of a number, its last point or comma read as a decimal one; 0 for letters. */
  readonly value: number;
  /** What is between it and the one before: nothing, `-`, `/`, `.`, `_`, or a blank for all else. */
  readonly glue: "" | "-" | "/" | "." | "_" | " ";
}

const LETTER = /\p{L}/u;

/** The atoms of a text in their order. */
export function atomsOf(text: string): Atom[] {
  const folded = foldTitle(text);
  const atoms: Atom[] = [];
  let end = -1;
  for (let at = 0; at < folded.length && atoms.length < ATOMS_MAX;) {
    const kind = kindAt(folded, at);
    if (kind === "other") {
      // Behind a number the sign of inches is a unit.
      if (folded[at] === '"' && end === at && atoms.at(-1)?.isWord === false) {
        atoms.push(wordAtom("zoll", ""));
        end = at + 1;
      }
      at += 1;
      continue;
    }
    let to = at + 1;
    while (to < folded.length && to - at < RUN_UNITS_MAX && continues(folded, to, kind)) to += 1;
    const glue = glueOf(folded, end, at);
    const run = folded.slice(at, to);
    // The `s` of `men's`.
    const isGenitive = run === "s" && at > 0 && /['’]/.test(folded[at - 1] ?? "");
    if (!isGenitive) atoms.push(kind === "letter" ? wordAtom(run, glue) : numberAtom(run, glue));
    at = to;
    end = to;
  }
  return atoms;
}

type Kind = "letter" | "digit" | "other";

function kindAt(text: string, at: number): Kind {
  const code = text.charCodeAt(at);
  if (code >= 97 && code <= 122) return "letter";
  if (code >= 48 && code <= 57) return "digit";
  return code >= 128 && LETTER.test(text[at] ?? "") ? "letter" : "other";
}

function continues(text: string, at: number, kind: Kind): boolean {
  const here = kindAt(text, at);
  if (here === kind) return true;
  const sign = text[at];
  return kind === "digit" && (sign === "." || sign === ",") && kindAt(text, at + 1) === "digit";
}

function glueOf(text: string, end: number, at: number): Atom["glue"] {
  if (end === at) return "";
  if (end < 0 || at - end !== 1) return " ";
  const sign = text[end];
  return sign === "-" || sign === "/" || sign === "." || sign === "_" ? sign : " ";
}

function wordAtom(text: string, glue: Atom["glue"]): Atom {
  return { isWord: true, text, word: foldWord(text), digits: null, value: 0, glue };
}

function numberAtom(text: string, glue: Atom["glue"]): Atom {
  const digits = text.replace(/[.,]/g, "");
  return { isWord: false, text, word: digits, digits, value: valueOf(text), glue };
}

/** `2,5` and `2.5` are one; of `7.0.2` the first two count, of `1.299,00` all. */
function valueOf(text: string): number {
  const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  if (last < 0) return Number(text);
  const version = /^(\d{1,2}\.\d{1,2})\./.exec(text)?.[1];
  if (version !== undefined) return Number(version);
  return Number(`${text.slice(0, last).replace(/[.,]/g, "")}.${text.slice(last + 1)}`);
}
