import { termsEn } from "../../wording/terms_en.ts";
import type { serviceDe } from "./service_de.ts";

/** The service speaks English itself: only what it takes from its libraries is put into other words. */
export const serviceEn: typeof serviceDe = {
  findings: termsEn.findings,
  refusals: {
    missing: () => "Is missing",
    unknown: () => "There is no such field",
    wrong_type: () => "This does not fit here",
    not_an_option: () => "Please choose one of the options",
    too_small: (bound) => `Too small: at least ${bound}`,
    too_large: (bound) => `Too large: at most ${bound}`,
    too_short: (bound) => bound === "1" ? "Must not be empty" : `At least ${bound} characters`,
    too_long: (bound) => `At most ${bound} characters`,
    too_few: (bound) => `At least ${bound}`,
    too_many: (bound) => `At most ${bound}`,
  },
  fieldRefusals: {},
};
