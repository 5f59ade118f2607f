import {
  type Actor,
  type ClockAndIds,
  type Context,
  contextFor,
} from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";

export interface Tools {
  readonly store: Store;
  readonly clock: ClockAndIds;
}

export interface Anonymous extends Tools {
  readonly requestId: string;
}

export function commandContext(tools: Tools, workspaceId: string): Context {
  const requestId = `cmd_${tools.clock.newId()}`;
  return contextFor({ ...tools, requestId }, workspaceId, COMMAND);
}

const COMMAND: Actor = { type: "system", id: "command", name: "Command line" };
