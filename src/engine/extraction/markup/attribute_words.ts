const CHARACTERS_MAX = 2000;
const WORDS_MAX = 50;

/** The words of an attribute that is a list of them, cut at more than an honest page has. */
export function wordsOfAttribute(text = ""): string[] {
  return text.slice(0, CHARACTERS_MAX).split(/\s/).filter((word) => word !== "")
    .slice(0, WORDS_MAX);
}
