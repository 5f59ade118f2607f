/**
 * Whom a session belonged to when it was last used: lets it and its user be read together instead of
 * one after the other. A guess, proven by the session that comes back; nothing is admitted by it.
 */
export interface SessionMemory {
  guess(hash: Uint8Array): string | null;
  note(hash: Uint8Array, userId: string): void;
}

const SESSIONS_MAX = 10_000;

export function createSessionMemory(): SessionMemory {
  const users = new Map<string, string>();
  return {
    guess: (hash) => users.get(hash.toHex()) ?? null,
    note(hash, userId) {
      if (users.size >= SESSIONS_MAX) users.clear();
      users.set(hash.toHex(), userId);
    },
  };
}
