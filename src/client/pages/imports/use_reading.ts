import { useQueryClient } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import { PRICES_REFUSED } from "../../../imports/files/hold_codes.ts";
import type { Preview } from "../../../imports/preview_upload.ts";
import { useFilePreview } from "../../parts/import/use_file_preview.ts";
import { draftOf } from "../../parts/mapping/mapping_draft.ts";
import { useMapping } from "../../parts/mapping/mapping_editor.tsx";

type Reading = ReturnType<typeof useReading>;

/** Reads a file by the profile `named`, by the recognised one, or by the edited mapping. */
export function useReading(file: File | null, named: string) {
  const client = useQueryClient();
  const looked = useFilePreview({ file, profile: null, named });
  const [turn, setTurn] = useState(0);
  const fileKey = file ? `${file.name} ${file.size} ${file.lastModified} ${named} ${turn}` : "";
  const base = looked.preview;
  const [shown, setShown] = useState<{ fileKey: string; preview: Preview } | null>(null);
  const latest = shown?.fileKey === fileKey ? shown.preview : base;
  const mapping = useMapping(base?.reading ?? null, latest, fileKey);
  const tried = useFilePreview({
    file: mapping.edited ? file : null,
    profile: mapping.edited,
    isOfLines: base?.look?.kind === "delimited" || base?.look?.kind === "ndjson",
  });
  useEffect(() => {
    if (tried.preview !== null && !tried.isRunning && mapping.edited) {
      setShown({ fileKey, preview: withCount(tried.preview, base) });
    }
  }, [tried.preview, tried.isRunning, mapping.edited === null]);
  const preview = mapping.edited ? latest : base;
  const names = base?.columns.map(({ column }) => column) ?? null;
  const suggested = base?.reading && base.suggestion !== null
    ? { draft: draftOf(base.reading, names), columns: base.columns }
    : null;
  return {
    ...{ looked, base, mapping, tried, preview, suggested, fileKey },
    lacksPrices: preview?.error?.code === PRICES_REFUSED,
    /** Reads the file again with the settings that another person has saved. */
    startAnew: async () => {
      await client.refetchQueries({ queryKey: ["file preview"] });
      setTurn(turn + 1);
    },
  };
}

/** An edited mapping may be tried on a part of the file, but `rows` counts the whole file. */
function withCount(preview: Preview, base: Preview | null): Preview {
  const { look } = preview;
  const rows = look?.rows ?? base?.look?.rows ?? null;
  return look ? { ...preview, look: { ...look, rows } } : preview;
}
