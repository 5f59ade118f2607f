import type { View } from "../../../accounts/views/view.ts";
import { addressOf } from "../../api/call.ts";

export type ViewTerms = Pick<View, "query" | "columns">;

/** `view` marks the tab of the view as current. */
export function addressOfView({ id, query, columns }: View): string {
  return addressOf("/products", {
    ...Object.fromEntries(new URLSearchParams(query)),
    columns: columns.join(","),
    view: id,
  });
}
