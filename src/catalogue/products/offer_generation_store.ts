/**
 * Keys: `go W shard` → empty; its versionstamp is the generation of the offers of a shard (the shard
 * of the product's SKU). Every commit that writes offers sets it, blind, and so does a change of SKU:
 * else two batches on either side of it would check different generations and lose an offer.
 */
import { shardVersions } from "./shard_version_store.ts";

const generations = shardVersions("go");

/** The generations of the offers of `shards`, null where nothing was ever written; a batch reads them before all else. */
export const findOfferGenerations = generations.find;

/** The commit fails when anybody wrote offers of the shard since its generation was read (null: never). */
export const checkOfferGeneration = generations.check;

/** Sets the generation of the offers of one shard. */
export const setOfferGeneration = generations.set;
