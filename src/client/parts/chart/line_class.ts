import { shopClass } from "../shop_colours.ts";

/** Of a series: its colour and its dash. Ours is solid, in the colour of what can be done. */
export function lineClass({ colour }: { readonly colour: number }): string {
  return colour === 0 ? "line own" : `line ${shopClass(colour)}`;
}
