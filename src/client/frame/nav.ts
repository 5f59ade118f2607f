import { useProductCount } from "../parts/reads.ts";
import { COMPARED, PATH_NAMES, PATHS } from "../paths.ts";
import { SCREENS } from "../screens.tsx";

const NAV = PATH_NAMES.flatMap((name) => {
  const { nav } = SCREENS[name];
  return nav === null ? [] : [{ ...nav, name, href: PATHS[name] }];
});

export function useNavPlaces() {
  const compared = useProductCount({ state: "ok" });
  return NAV.map((place) =>
    place.name === "products" && compared ? { ...place, href: COMPARED } : place
  );
}

export type Place = ReturnType<typeof useNavPlaces>[number];
