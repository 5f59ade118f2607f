/** Texts that come again and again as small numbers, counted up from 1; 0 is no text. */

/** Equal keys are one word, whose first text is kept. */
export class WordList {
  readonly #codes = new Map<string, number>();
  readonly #texts: string[] = [];
  #characters = 0;

  /** The number of a word, a new one for a new word. */
  codeOf(key: string, text: string): number {
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    this.#codes.set(key, this.#texts.push(text));
    this.#characters += key.length + text.length;
    return this.#texts.length;
  }

  /** 0 for an unknown word. */
  find(key: string): number {
    return this.#codes.get(key) ?? 0;
  }

  /** Null for 0. */
  textOf(code: number): string | null {
    return this.#texts[code - 1] ?? null;
  }

  /** Every word with its number. */
  *entries(): Generator<{ readonly code: number; readonly key: string; readonly text: string }> {
    for (const [key, code] of this.#codes) yield { code, key, text: this.#texts[code - 1] ?? "" };
  }

  /** About what the words take in memory. */
  get bytes(): number {
    return this.#characters * 2 + this.#texts.length * 100;
  }
}
