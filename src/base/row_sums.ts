import { idMark } from "./id.ts";

/** Different sets of rows practically never have equal counts and checksums. */
export class RowSums {
  readonly #sums = new Map<string, { count: number; sum: number }>();

  add(name: string, row: string): void {
    const known = this.#sums.get(name);
    if (known === undefined) {
      this.#sums.set(name, { count: 1, sum: idMark(row) });
      return;
    }
    known.count++;
    known.sum = (known.sum + idMark(row)) >>> 0;
  }

  count(name: string): number {
    return this.#sums.get(name)?.count ?? 0;
  }

  isSame(name: string, other: RowSums): boolean {
    const [own, its] = [this.#sums.get(name), other.#sums.get(name)];
    return own?.count === its?.count && own?.sum === its?.sum;
  }

  names(): Iterable<string> {
    return this.#sums.keys();
  }
}
