import { useList } from "../../app/use_list.ts";

/** All sources of imports, the default one among them. */
export function useImportSources(everyMs: number | false = false) {
  return useList({
    key: ["importSources"],
    read: (api, page) => api.GET("/api/import-sources", { params: { query: page } }),
    everyMs,
  });
}
