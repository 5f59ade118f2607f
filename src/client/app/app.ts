/** The shared services of every screen: the API, words, formats, the signed-in person. */

import type { Audience, Show } from "../../engine/wording/show.ts";
import type { Call } from "../api/call.ts";
import type { Words } from "../words/words.ts";
import type { AppState, Role } from "./app_state.ts";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

export interface App extends AppState {
  readonly call: Call;
  /** The texts in the chosen language. */
  readonly words: Words;
  /** Formats of money, numbers and times in the workspace. */
  readonly show: Show;
  /** True if the person has at least this role; the service checks it again. */
  may(role: Role): boolean;
}

export const AppContext = createContext<App | null>(null);

/** The audience for the sentences of `engine/wording`. */
export function listenerOf({ language, show }: App): Audience {
  return { language: language.value, show };
}

/** Call it only in components below `<Frame>`. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error("useApp() is called outside of the frame");
  return app;
}
