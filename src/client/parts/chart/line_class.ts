import { COLOUR_COUNT } from "./shop_colours.ts";

const DASH_COUNT = 4;

/** Of a series: its colour and its dash. Ours is solid, in the colour of what can be done. */
export function lineClass({ colour }: { readonly colour: number }): string {
  if (colour === 0) return "line own";
  const at = colour - 1;
  const turn = Math.floor(at / COLOUR_COUNT);
  return `line shop-${at % COLOUR_COUNT + 1} dash-${(at + turn) % DASH_COUNT + 1}`;
}
