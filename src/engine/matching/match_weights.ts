/**
 * Weights of the features, in the order of `readFeatures`. A positive weight speaks for the same
 * article. `tests/bench/fit_match_weights.ts` generates this file, and keeps the signs.
 */

export const MATCH_BASE = -2.7;

export const MATCH_WEIGHTS = {
  likeness: 3.47,
  shareFound: 1.07,
  codeShared: 0.69,
  codeInText: 2.56,
  otherCode: -1.59,
  firstCodeDiffers: -1.44,
  mpnSame: 3.83,
  mpnInText: 2.29,
  mpnDiffers: -2.43,
  brandDiffers: -0.6,
  quantitiesSame: 0.64,
  quantitiesDiffer: -1.59,
  numbersDiffer: -0.94,
  seriesDiffer: -1.52,
  coloursSame: 0.68,
  coloursDiffer: -1.85,
  firstColourDiffers: -0.83,
  packDiffers: -1.2,
  genderDiffers: -2.35,
  upgradeDiffers: -1.35,
  platformDiffers: -0.68,
  educationDiffers: -1.05,
  tierDiffers: -1.47,
  accessoryDiffers: -0.48,
  priceDiffers: -4.36,
  wordsWithoutPartner: -0.61,
};
