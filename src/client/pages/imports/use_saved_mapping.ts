import type { ProfileDocument } from "../../../imports/profiles/import_profiles.ts";
import type { TableProfile } from "../../../imports/profiles/table_profile.ts";
import { useProfileSaving } from "../../parts/import/use_file_preview.ts";
import { useEffect, useState } from "preact/hooks";

interface MappingOptions {
  readonly own: ProfileDocument | null;
  readonly fileKey: string;
  readonly formId: string;
  onTheirs(): void;
}

interface Mapping {
  readonly profile: TableProfile;
  readonly name: string;
  readonly columns: readonly string[];
}

export function useSavedMapping({ own, fileKey, formId, onTheirs }: MappingOptions) {
  const [made, setMade] = useState<ProfileDocument | null>(null);
  const target = own ?? made;
  const saving = useProfileSaving({ target, formId, onTheirs });
  useEffect(() => {
    if (target !== null) saving.follow(target);
  }, [target?.id, fileKey]);
  /** Resolves to the profile's id, or to null if another person has changed the profile. */
  const save = async ({ profile, name, columns }: Mapping): Promise<string | null> => {
    const { id: _id, ...rest } = profile;
    const named = { ...rest, detect: { ...rest.detect, columns }, name };
    const saved = await saving.save(own === null ? named : rest);
    if (saved === null) return null;
    if (own === null) setMade(saved);
    return saved.id;
  };
  return { save, note: saving.note };
}

export function nameOfFile(file: File | null): string {
  const plain = withoutEndings(file?.name ?? "");
  return withoutDay(plain).replace(/[\s_]+/g, " ").trim() || plain;
}

function withoutEndings(name: string): string {
  const parts = name.split(".");
  const last = parts.findLastIndex((part, n) => n === 0 || !/^[a-z0-9]{1,6}$/i.test(part));
  return parts.slice(0, last + 1).join(".");
}

/** Removes a number or date at the end of `name`: `artikel_2026-08-01` becomes `artikel`. */
function withoutDay(name: string): string {
  let end = name.length;
  while (end > 0 && /[\d\s_.-]/.test(name.charAt(end - 1))) end--;
  return /\d/.test(name.slice(end)) ? name.slice(0, end) : name;
}
