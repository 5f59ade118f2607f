import {
  type Actor,
  type ClockAndIds,
  type Context,
  contextFor,
} from "../platform/store/context.ts";
import type { Store } from "../platform/store/kv.ts";

/** Tools of commands, and of verbs that run before the caller is known. */
export interface Tools {
  readonly store: Store;
  readonly clock: ClockAndIds;
}

/** A request before its sender is known: sign-in, links, set-up. */
export interface Anonymous extends Tools {
  readonly requestId: string;
}

/** The context of a command. Audit rows show the command line as their actor. */
export function commandContext(tools: Tools, workspaceId: string): Context {
  const requestId = `cmd_${tools.clock.newId()}`;
  return contextFor({ ...tools, requestId }, workspaceId, COMMAND);
}

const COMMAND: Actor = { type: "system", id: "command", name: "Command line" };
