import { WorkspaceLine } from "../../../src/app/workspace_files/workspace_line.ts";

/** The types of lines in the order of a file. */
export const LINE_TYPES: readonly string[] = WorkspaceLine.options.map(({ shape }) =>
  shape.type.value
);
