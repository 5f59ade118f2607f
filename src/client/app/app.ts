/** The shared services of every screen: the API, words, formats, the signed-in person. */

import type { Audience, Show } from "../../engine/wording/show.ts";
import type { Call } from "../api/call.ts";
import type { Words } from "../words/words.ts";
import type { AppState, Role } from "./app_state.ts";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

export interface App extends AppState {
  readonly call: Call;
  /** The texts of the language that is chosen. */
  readonly words: Words;
  /** Money, numbers and times as the workspace writes them. */
  readonly show: Show;
  /** True when the person's role is this one or above; the service has the last word. */
  may(role: Role): boolean;
}

export const AppContext = createContext<App | null>(null);

/** The audience of shared sentences. */
export function listenerOf({ language, show }: App): Audience {
  return { language: language.value, show };
}

/** Call it only in components below `<Frame>`. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error("useApp() is called outside of the frame");
  return app;
}
