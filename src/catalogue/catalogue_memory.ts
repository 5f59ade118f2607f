import { createDictionaryMemory, type DictionaryMemory } from "./dictionary_memory.ts";
import { createSearchMemory, type SearchMemory } from "./search_memory.ts";

/** What a process remembers of catalogues to be quick; one per process, made by the composition root. */
export interface CatalogueMemory {
  readonly dictionaries: DictionaryMemory;
  readonly searches: SearchMemory;
}

export function createCatalogueMemory(): CatalogueMemory {
  return { dictionaries: createDictionaryMemory(), searches: createSearchMemory() };
}
