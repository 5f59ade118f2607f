import { useApp } from "../app/app.ts";
import { Button } from "./button.tsx";
import type { Filter } from "./use_filter.ts";

/** Takes the whole filter away; not there while there is none. */
export function ClearFilter({ filter }: { filter: Pick<Filter<string>, "isAny" | "clear"> }) {
  const { words } = useApp();
  if (!filter.isAny) return null;
  return (
    <Button kind="quiet" icon="close" onClick={filter.clear}>{words.products.clearFilter}</Button>
  );
}
