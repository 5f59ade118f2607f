export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly count: number;
}
