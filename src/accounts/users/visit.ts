import { defineTable } from "../../platform/store/table.ts";

/** The last visits of a person. Times are in milliseconds. */
export interface Visit {
  readonly userId: string;
  /** Time of the current visit's last request, up to a minute too early. */
  readonly seenAtMs: number;
  /** The end of the previous visit; null for the first one. */
  readonly previousAtMs: number | null;
}

/** The row is removed with the person. */
export const visitRows = defineTable<Visit, "userId">({
  prefix: "uv",
  about: "the last requests of a person's current and previous visits",
  key: { userId: "id" },
  keyOnly: ["userId"],
});
