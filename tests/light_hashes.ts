/** In tests, hashes of passwords cost almost nothing. The service's own take 0.2 s of a core. */
import { setHashCost } from "../src/accounts/passwords/password.ts";

const LIGHT = { N: 2, r: 8, p: 1 };

setHashCost(LIGHT);

/** Hashes as the service makes them, until they are disposed of. */
export function realHashes(): Disposable {
  setHashCost();
  return { [Symbol.dispose]: () => setHashCost(LIGHT) };
}
