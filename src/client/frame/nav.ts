import { useProductCount } from "../parts/reads.ts";
import { COMPARED, PATH_NAMES, PATHS } from "../paths.ts";
import { SCREENS } from "../screens.tsx";

/** In order of display. */
const NAV = PATH_NAMES.flatMap((name) => {
  const { nav } = SCREENS[name];
  return nav === null ? [] : [{ ...nav, name, href: PATHS[name] }];
});

/** The products entry opens the compared products if there are any. */
export function useNavPlaces() {
  const compared = useProductCount({ state: "ok" });
  return NAV.map((place) =>
    place.name === "products" && compared ? { ...place, href: COMPARED } : place
  );
}

export type Place = ReturnType<typeof useNavPlaces>[number];
