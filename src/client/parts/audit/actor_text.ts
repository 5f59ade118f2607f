import type { Words } from "../../words/words.ts";

/** People and keys have their own names, parts of the service a fixed word. */
export function actorText(
  { auditLog: { actors } }: Words,
  { actor }: {
    readonly actor: Readonly<Record<"type" | "id" | "name", string>>;
  },
): string {
  if (actor.type !== "system") return actor.name;
  return actor.id === "rules" ? actors.rules : actor.id === "erp" ? actors.erp : actors.system;
}
