import { shortened } from "../files/finding.ts";
import type { RecordTerms } from "../profiles/profile.ts";
import type { Place, RecordFindings } from "./record_findings.ts";

/**
 * Asked of an amount of 0: true when it is to be read as none, so that the stored one stays. Each
 * record with such an amount is told of once: ERPs write 0 where they know no price.
 */
export function isEmptyZero(
  { zeroIsEmpty }: Pick<RecordTerms, "zeroIsEmpty">,
  findings: RecordFindings,
  place: Place,
): boolean {
  const value = shortened(place.value ?? "");
  if (zeroIsEmpty) {
    const message = `"${value}" is read as no price: the stored one stays`;
    findings.warnOnce("zero_as_empty", message, place);
  } else {
    const message = `"${value}" is stored as 0, which rules take for an unknown price or cost`;
    findings.warnOnce("zero_price", message, place);
  }
  return zeroIsEmpty;
}
