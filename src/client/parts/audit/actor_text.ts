import type { Words } from "../../words/words.ts";

/** The name of a person or key, or a fixed word for a part of the service. */
export function actorText(
  { auditLog: { actors } }: Words,
  { actor }: {
    readonly actor: Readonly<Record<"type" | "id" | "name", string>>;
  },
): string {
  if (actor.type !== "system") return actor.name;
  return actor.id === "rules" ? actors.rules : actor.id === "erp" ? actors.erp : actors.system;
}
