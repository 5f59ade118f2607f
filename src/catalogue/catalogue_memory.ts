import { createDictionaryMemory, type DictionaryMemory } from "./dictionary_memory.ts";
import { createSearchMemory, type SearchMemory } from "./search_memory.ts";
import { createSkuMemory, type SkuMemory } from "./sku_memory.ts";

/** What a process remembers of catalogues to be quick; one per process, made by the composition root. */
export interface CatalogueMemory {
  readonly dictionaries: DictionaryMemory;
  readonly searches: SearchMemory;
  readonly skus: SkuMemory;
}

export function createCatalogueMemory(): CatalogueMemory {
  return {
    dictionaries: createDictionaryMemory(),
    searches: createSearchMemory(),
    skus: createSkuMemory(),
  };
}
