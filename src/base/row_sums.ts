/**
 * Compares two sets of rows in any order by a sum of 128 bits for each bucket of owners. Detects
 * damage; it does not resist deliberate collisions.
 */

const BUCKETS = 4_096;
const LANES = 4;
const SEEDS = [0x2545f491, 0x6c078965, 0x1b873593, 0x9e3779b9] as const;
const FACTORS = [0x5bd1e995, 0x2c1b3c6d, 0x297a2d39, 0x7feb352d] as const;

export class RowSums {
  readonly #sums = new Int32Array(BUCKETS * LANES);
  /** Rows that were expected, by bucket: how much there is to look at again. */
  readonly #counts = new Int32Array(BUCKETS);
  readonly #suspects = new Set<number>();

  /** A row that must be there. `owner` says whose it is: rows of one owner are looked at together. */
  expect(owner: string, row: string): void {
    this.#counts[bucketOf(owner)]!++;
    this.#add(owner, row, 1);
  }

  /** A row that is there. */
  find(owner: string, row: string): void {
    this.#add(owner, row, -1);
  }

  /** The rows of this owner are to be looked at, whatever their sums say. */
  suspect(owner: string): void {
    this.#suspects.add(bucketOf(owner));
  }

  /**
   * Says of owners, group by group, whether they are in it: all whose rows may differ are in just one.
   * A group has no more than `rowsMax` expected rows, unless a single bucket has.
   */
  *unequal(rowsMax: number): Generator<(owner: string) => boolean> {
    let group = new Set<number>();
    let rows = 0;
    const has = (buckets: ReadonlySet<number>) => (owner: string) => buckets.has(bucketOf(owner));
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      if (this.#isEqual(bucket)) continue;
      const count = this.#counts[bucket] ?? 0;
      if (group.size > 0 && rows + count > rowsMax) {
        yield has(group);
        group = new Set();
        rows = 0;
      }
      group.add(bucket);
      rows += count;
    }
    if (group.size > 0) yield has(group);
  }

  #isEqual(bucket: number): boolean {
    const sums = this.#sums.subarray(bucket * LANES, (bucket + 1) * LANES);
    return !this.#suspects.has(bucket) && sums.every((sum) => sum === 0);
  }

  #add(owner: string, row: string, sign: 1 | -1): void {
    const first = bucketOf(owner) * LANES;
    for (let lane = 0; lane < LANES; lane++) {
      const factor = FACTORS[lane] ?? 0;
      const hash = mixed(hashOf(hashOf(SEEDS[lane] ?? 0, factor, owner), factor, row), row.length);
      this.#sums[first + lane]! += sign * hash;
    }
  }
}

function bucketOf(owner: string): number {
  return (mixed(hashOf(SEEDS[0], FACTORS[0], owner), 0) >>> 0) % BUCKETS;
}

/** Each step can be undone, so two texts of one length that differ in one character never meet. */
function hashOf(seed: number, factor: number, text: string): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), factor);
    hash ^= hash >>> 15;
  }
  return hash;
}

function mixed(hash: number, length: number): number {
  let mix = Math.imul(hash ^ length ^ (hash >>> 16), 0x45d9f3b);
  mix = Math.imul(mix ^ (mix >>> 13), 0x119de1f3);
  return mix ^ (mix >>> 16);
}
