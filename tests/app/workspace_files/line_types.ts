import { WorkspaceLine } from "../../../src/app/workspace_files/workspace_line.ts";

export const LINE_TYPES: readonly string[] = WorkspaceLine.options.map(({ shape }) =>
  shape.type.value
);
