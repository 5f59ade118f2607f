/** `secret …`: the keys under which the store's credentials are sealed (docs/operations.md). */

import { Failure } from "../../base/failure.ts";
import { sealingKey } from "../../platform/store/sealed_text.ts";
import { newSecretKey } from "../../platform/store/secret_key.ts";
import { findSecretTroubles, resealAll } from "../composition/secrets.ts";
import { withTools } from "./store_access.ts";
import { print } from "./terminal.ts";

/** `secret new`: prints only the key, so that a script can use it directly. */
export function secretNew(): Promise<void> {
  return Promise.resolve(print(newSecretKey()));
}

/** `secret rotate`: returns true if all credentials are sealed under the first key. */
export async function secretRotate(): Promise<boolean> {
  return await withTools(async ({ store }) => {
    const key = sealingKey(store);
    if (key === null) {
      throw new Failure("validation_failed", "There is no key: set SECRET_KEY (`secret new`)");
    }
    const count = await resealAll(store);
    print(`Sealed ${count} credentials under the key ${key}`);
    const troubles = await Array.fromAsync(findSecretTroubles(store));
    for (const trouble of troubles) print(trouble);
    return troubles.length === 0;
  });
}
