import { recordOf } from "../../base/record_of.ts";
import {
  IMPORTED_NAMES,
  majorName,
  PRODUCT_FIELDS,
} from "../../catalogue/products/product_field_table.ts";
import { SOLD_FIELDS, type SoldField } from "./profile_choices.ts";

/** What a record of a file may say of a product by single values, as profiles call it. */
export const PROFILE_FIELDS = [...IMPORTED_NAMES.map(majorName), ...SOLD_FIELDS];

const SOLD_LABELS: Readonly<Record<SoldField, string>> = {
  units: "Units sold on the day of `unitsDate`; they take the place of what was known of it",
  unitsDate: "The day on which `units` were sold",
};

const LABELS = new Map<string, string>([
  ...IMPORTED_NAMES.map((name) => [majorName(name), PRODUCT_FIELDS[name].label.en] as const),
  ...Object.entries(SOLD_LABELS),
]);

/** What people call it, for the schema. */
export const FIELD_LABELS = recordOf(PROFILE_FIELDS, (name) => LABELS.get(name) ?? name);
