/** A row on a phone: its name in two lines, below it the values in pairs, each after its name. */
const NAME_PX = 64;
const PAIR_PX = 26;

/** All cards of a table are of one height, as its rows are: a long list draws what is in sight alone. */
export function cardPxOf(columnCount: number): number {
  return NAME_PX + Math.ceil(Math.max(0, columnCount - 1) / 2) * PAIR_PX;
}
