/**
 * True when who holds `own` slots may have one more of those that are `free`: nobody holds more than
 * are left for others. One alone gets half of the slots, and however many hold some, one that comes
 * with empty hands finds a free one, until there are as many as slots. What waits are rows of the
 * store, which several processes take: there is no queue to put in order, as `FairQueue` does.
 */
export function mayTakeSlot(own: number, free: number): boolean {
  return own < free;
}
