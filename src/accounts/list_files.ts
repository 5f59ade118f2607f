import { fileRoutes, type ListFile } from "../platform/http/list_file.ts";
import { requireWorkspace } from "./workspace_store.ts";

/** The files of a list, with the times of its workbook on the clock of the workspace. */
export function listFiles<Filter, Params>(list: ListFile<Filter, Params>) {
  return fileRoutes(list, async (workspace) => (await requireWorkspace(workspace)).timeZone);
}
