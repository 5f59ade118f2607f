/** Thrown where input from outside would take more work than its budget; whoever reads the input says so of it. */
export class TooComplex extends Error {
  override readonly name = "TooComplex";
}
