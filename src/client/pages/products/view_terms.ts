import type { View } from "../../../accounts/views/view.ts";
import { addressOf } from "../../api/call.ts";

/** The stored terms of a view. */
export type ViewTerms = Pick<View, "query" | "columns">;

/** Where a view is opened: its query, its columns, and itself, so that its tab stays known. */
export function addressOfView({ id, query, columns }: View): string {
  return addressOf("/products", {
    ...Object.fromEntries(new URLSearchParams(query)),
    columns: columns.join(","),
    view: id,
  });
}
