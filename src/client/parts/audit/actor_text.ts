import type { Words } from "../../words/words.ts";

/** Returns the actor: people and keys by name, parts of the service by their usual names. */
export function actorText(
  { auditLog: { actors } }: Words,
  { actor }: {
    readonly actor: Readonly<Record<"type" | "id" | "name", string>>;
  },
): string {
  if (actor.type !== "system") return actor.name;
  return actor.id === "rules" ? actors.rules : actor.id === "erp" ? actors.erp : actors.system;
}
