/**
 * Keys: `g W shard` → empty; its versionstamp is the generation of the shard (of SKUs). Every commit
 * that touches a product sets it, blind; who writes many reads the generations first and checks those.
 */
import { shardVersions } from "./shard_version_store.ts";

const generations = shardVersions("g");

/** The generation of every shard that has one; a batch reads them before all else. */
export const listGenerations = generations.list;

/** The generations of a few shards, null where nothing was ever written. */
export const findGenerations = generations.find;

/** The commit fails when anybody wrote to the shard since its generation was read (null: never). */
export const checkGeneration = generations.check;

/** Sets the generation of one shard; for rows that hang on a product without being the product. */
export const setGeneration = generations.set;
