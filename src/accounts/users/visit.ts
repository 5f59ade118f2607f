import { defineTable } from "../../platform/store/table.ts";

/** The last visits of a person. Times are in milliseconds. */
export interface Visit {
  readonly userId: string;
  /** A request of the visit that goes on, a minute before its last one at most. */
  readonly seenAtMs: number;
  /** When the visit before ended; null for the first one. */
  readonly previousAtMs: number | null;
}

/** A row goes with the person. */
export const visitRows = defineTable<Visit, "userId">({
  prefix: "uv",
  about: "when the person was here: this visit's last request, and that of the one before",
  key: { userId: "id" },
  keyOnly: ["userId"],
});
