/** The robots.txt files that were read once and are asked often; plain functions over a memory with a bound. */
import { allowsUrl, parseRobots, type RobotsRules } from "./robots_rules.ts";

/** Whether a file lets a crawler fetch a URL. */
export interface RobotsQuestion {
  /** Names the file: its origin and the version that is stored. */
  readonly file: string;
  /** Null where the file may be known already. */
  readonly text: string | null;
  /** The product token that the file knows the crawler by. */
  readonly token: string;
  readonly url: string;
}

/** `unknown`: the question has to come with the text. */
export type RobotsAnswer = { readonly kind: "unknown" } | {
  readonly kind: "known";
  readonly isAllowed: boolean;
};

/** Of the texts of all files that are kept together; parsed ones are a few times as large. */
const CHARACTERS_MAX = 4_000_000;
const FILES_MAX = 1_000;

interface KnownFile {
  readonly rules: RobotsRules;
  readonly characters: number;
}

/** Keeps what was asked last of files, parsed. */
export function createRobotsMemory(): (question: RobotsQuestion) => RobotsAnswer {
  const files = new Map<string, KnownFile>();
  let characters = 0;
  const forget = (name: string) => {
    characters -= files.get(name)?.characters ?? 0;
    files.delete(name);
  };
  const keep = (name: string, known: KnownFile) => {
    forget(name);
    files.set(name, known);
    characters += known.characters;
    for (const oldest of files.keys()) {
      if (characters <= CHARACTERS_MAX && files.size <= FILES_MAX) break;
      forget(oldest);
    }
  };
  return ({ file, text, token, url }) => {
    const known = files.get(file) ??
      (text === null ? null : { rules: parseRobots(text), characters: text.length });
    if (known === null) return { kind: "unknown" };
    keep(file, known);
    return { kind: "known", isAllowed: allowsUrl(known.rules, token, url) };
  };
}
