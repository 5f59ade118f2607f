import { useQueryClient } from "@tanstack/preact-query";
import { useRef } from "preact/hooks";
import type { TableProfile } from "../../../imports/profiles/table_profile.ts";
import { useApp } from "../../app/app.ts";

interface Mapping {
  readonly profile: TableProfile;
  /** The profile of the workspace that it changes; null: it becomes a new one. */
  readonly own: string | null;
  /** Of a new one. */
  readonly name: string;
  /** By which files of a new one are recognised. */
  readonly columns: readonly string[];
}

/** Keeps a mapping as a profile; what this page has made it changes afterwards, and makes no second one. */
export function useSavedMapping() {
  const { call } = useApp();
  const client = useQueryClient();
  const made = useRef<string | null>(null);
  const save = async ({ profile, own, name, columns }: Mapping): Promise<string> => {
    const { id: _id, ...rest } = profile;
    const known = own ?? made.current;
    const detect = { ...rest.detect, columns };
    const saved = known === null
      ? await call((api) => api.POST("/api/import-profiles", { body: { ...rest, detect, name } }))
      : await call((api) =>
        api.PATCH("/api/import-profiles/{id}", {
          params: { path: { id: known } },
          body: own === null ? { ...rest, detect, name } : rest,
        })
      );
    made.current = own === null ? saved.id : null;
    await client.invalidateQueries({ queryKey: ["profiles"] });
    return saved.id;
  };
  return { save };
}

/** The name of a file without what changes every day, and without its ending. */
export function nameOfFile(file: File | null): string {
  const plain = withoutEndings(file?.name ?? "");
  return withoutDay(plain).replace(/[\s_]+/g, " ").trim() || plain;
}

/** `artikel` of `artikel.csv.gz`. */
function withoutEndings(name: string): string {
  const parts = name.split(".");
  const last = parts.findLastIndex((part, n) => n === 0 || !/^[a-z0-9]{1,6}$/i.test(part));
  return parts.slice(0, last + 1).join(".");
}

/** `artikel` of `artikel_2026-08-01`: what stands behind the last word, if there is a digit in it. */
function withoutDay(name: string): string {
  let end = name.length;
  while (end > 0 && /[\d\s_.-]/.test(name.charAt(end - 1))) end--;
  return /\d/.test(name.slice(end)) ? name.slice(0, end) : name;
}
