import type { ProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import { useMemo } from "preact/hooks";
import { useApp, useList } from "../../app/app.ts";
import type { Words } from "../../words/words.ts";
import { get, where } from "../../api/call.ts";

/** Built-in profiles are named in the person's language. */
export function useProfiles() {
  const { words } = useApp();
  const list = useList((page) => get("/api/import-profiles", where(page)));
  const rows = useMemo(
    () => list.rows.map((one) => ({ ...one, name: nameOfProfile(words, one) })),
    [list.rows, words],
  );
  return { ...list, rows };
}

/** A profile for XML and one for tables may have the same id. */
export function profileOptions(rows: readonly ProfileDocument[]) {
  return rows.filter(({ id }, at) => rows.findIndex((row) => row.id === id) === at)
    .map(({ id, name }) => ({ value: id, label: name }));
}

export function nameOfProfile(
  { profiles }: Words,
  { id, name, builtIn }: Pick<ProfileDocument, "id" | "name" | "builtIn">,
): string {
  const names: Readonly<Record<string, string>> = profiles.builtInNames;
  return builtIn && names[id] || name;
}
