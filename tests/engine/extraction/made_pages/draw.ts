export type Tongue = "de" | "en" | "fr";

const NOUNS = {
  de: ["Akkuschrauber", "Wasserkocher", "Schreibtischlampe", "Bratpfanne", "Rucksack", "Kopfhörer"],
  en: ["Cordless Drill", "Kettle", "Desk Lamp", "Frying Pan", "Backpack", "Headphones"],
  fr: ["Perceuse sans fil", "Bouilloire", "Lampe de bureau", "Poêle", "Sac à dos", "Casque audio"],
} as const;
const BRANDS = ["Norvika", "Talheim", "Brosken", "Ostarum", "Kelvaro", "Lumdal", "Grevoss"];
const ENDINGS = [99, 95, 90, 0, 49, 50];

/** Values of one made page. They depend on its name alone, and are the same in every run. */
export class Draw {
  readonly tongue: Tongue;
  readonly brand: string;
  readonly noun: string;
  /** A name as shops write it, with brand and model. */
  readonly title: string;
  readonly currency: "EUR" | "GBP";
  #state: number;

  constructor(seed: string, tongue: Tongue) {
    this.#state = [...seed].reduce(
      (hash, sign) => Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16_777_619) >>> 0,
      2_166_136_261,
    );
    this.tongue = tongue;
    this.currency = tongue === "en" ? "GBP" : "EUR";
    this.brand = this.pick(BRANDS);
    this.noun = this.pick(NOUNS[tongue]);
    this.title = `${this.brand} ${this.noun} ${this.pick(["KX", "TR", "VL"])} ${this.digits(3)}`;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.#below(values.length)];
    if (value === undefined) throw new Error("nothing to draw from");
    return value;
  }

  /** Minor units between two amounts in major units, with an ending that shops use. */
  cents(from: number, to: number): number {
    return (from + this.#below(to - from)) * 100 + this.pick(ENDINGS);
  }

  /** Prices of variants, the cheapest first. */
  rising(count: number): number[] {
    return Array.from({ length: count }, (_, at) => this.cents(20 + at * 30, 45 + at * 30));
  }

  digits(count: number): string {
    return Array.from({ length: count }, (_, at) => (at === 0 ? 1 : 0) + this.#below(9)).join("");
  }

  gtin(): string {
    const digits = `40${this.digits(10)}`;
    const sum = [...digits].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 ? 3 : 1), 0);
    return `${digits}${(10 - sum % 10) % 10}`;
  }

  say(...texts: readonly string[]): string {
    const text = texts[["de", "en", "fr"].indexOf(this.tongue)];
    if (!text) throw new Error(`no ${this.tongue} in ${texts.join("|")}`);
    return text;
  }

  /**
   * Fills a text: `{name}` is an amount as people write it, `{name:bare}` the same without currency,
   * `{name:plain}` as machines write it, and `[[ab|from|dès]]` the words of the language.
   */
  fill(text: string, amounts: Readonly<Record<string, number>>): string {
    const worded = text.replace(
      /\[\[([^[\]|]*\|[^[\]]*)\]\]/g,
      (_, words: string) => this.say(...words.split("|")),
    );
    return worded.replace(/\{(\w+)(?::(bare|plain))?\}/g, (_, name: string, form?: string) => {
      const cents = amounts[name];
      if (cents === undefined) throw new Error(`no amount ${name}`);
      if (form === "plain") return plain(cents);
      return form === "bare" ? this.#bare(cents) : this.money(cents);
    });
  }

  /** `1.299,95 €`, `£1,299.95`, `1 299,95 €`. */
  money(cents: number): string {
    return this.tongue === "en" ? `£${this.#bare(cents)}` : `${this.#bare(cents)}\u00a0€`;
  }

  #bare(cents: number): string {
    const [thousands = "", decimal = ""] =
      { de: [".", ","], en: [",", "."], fr: ["\u202f", ","] }[this.tongue];
    const [whole = "", rest = ""] = plain(cents).split(".");
    return `${whole.replace(/\B(?=(?:\d{3})+$)/g, thousands)}${decimal}${rest}`;
  }

  #below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }
}

/** `1299.95`. */
export function plain(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
