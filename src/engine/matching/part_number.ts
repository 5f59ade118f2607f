import { foldTitle } from "./fold_title.ts";

const KEY_UNITS_MIN = 4;
const KEY_UNITS_MAX = 60;
const NO_LETTER_OR_DIGIT = /[^\p{L}\p{N}]/gu;

/** A maker's number as it is compared: letters and digits; null for one that says too little. */
export function partNumberKey(text: string): string | null {
  const key = foldTitle(text).replace(NO_LETTER_OR_DIGIT, "");
  const isTelling = key.length >= KEY_UNITS_MIN && key.length <= KEY_UNITS_MAX && /\d/.test(key);
  return isTelling ? key : null;
}
