import { isLongerThan } from "../../base/text.ts";
import { withoutControls } from "./field_values.ts";
import type { RecordFindings } from "./record_findings.ts";

const VALUE_CHARS_MAX = 1_000;

/** Attributes that a record names, as a product keeps them; an empty one is to go. */
export function readAttributes(
  written: ReadonlyMap<string, string>,
  findings: RecordFindings,
): Record<string, string> {
  const read: [string, string][] = [];
  for (const [name, value] of written) {
    const text = withoutControls(value);
    if (!isLongerThan(text, VALUE_CHARS_MAX)) read.push([name, text]);
    else {
      const message = `The attribute "${name}" has more than ${VALUE_CHARS_MAX} characters`;
      findings.warn("too_long", message, { field: name, value });
    }
  }
  return Object.fromEntries(read.sort(([one], [other]) => one < other ? -1 : 1));
}
