/** How the prices of a table are written, told from all of them together. */
const GERMAN = /(?:^|[^\d.,])\d{1,3}(?:\.\d{3})+,\d+|\d,\d{1,2}(?!\d)|\d,\d{4,}|\d,-|\.\d{3},/;
const ENGLISH = /(?:^|[^\d.,])\d{1,3}(?:,\d{3})+\.\d+|\d\.\d{1,2}(?!\d)|\d\.\d{4,}|\d\.-|,\d{3}\./;
const MAJORITY = 4;

/**
 * `de` or `en` where decimals say so, four to one at least; else `auto`, with which a number is refused
 * that both would read differently: no price is guessed.
 */
export function numberStyleOf(samples: readonly string[]): "de" | "en" | "auto" {
  const german = samples.filter((text) => GERMAN.test(text)).length;
  const english = samples.filter((text) => ENGLISH.test(text)).length;
  if (german > 0 && german >= MAJORITY * english) return "de";
  return english > 0 && english >= MAJORITY * german ? "en" : "auto";
}
