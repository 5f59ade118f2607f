import { PATH_NAMES, PATHS } from "../paths.ts";
import { SCREENS } from "../screens.tsx";

/** Targets of navigation, palette and keys, in order of display. */
export const NAV = PATH_NAMES.flatMap((name) => {
  const { nav } = SCREENS[name];
  return nav === null ? [] : [{ ...nav, name, href: PATHS[name] }];
});
