/** Makes hashing passwords cheap in tests; the service takes 0.2 s of CPU time for each hash. */
import { setHashCost } from "../src/accounts/passwords/password.ts";

const LIGHT = { N: 2, r: 8, p: 1 };

setHashCost(LIGHT);

/** Until disposal, hashing costs as much as in the service. */
export function realHashes(): Disposable {
  setHashCost();
  return { [Symbol.dispose]: () => setHashCost(LIGHT) };
}
