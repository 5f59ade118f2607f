/** Products whose hold has ended: the rules are asked again, although nothing else has happened. */
import { findHoldPass, saveHoldPass, walkHolds } from "../../catalogue/products/hold_store.ts";
import { type EndedSetup, queueEnded } from "./queue_ended.ts";

/** The pass of every minute; each hold once, however many processes ask. Answers how many have ended. */
export async function queueEndedHolds(setup: EndedSetup): Promise<number> {
  return await queueEnded(setup, {
    name: "ended holds",
    findPass: findHoldPass,
    walk: walkHolds,
    savePass: saveHoldPass,
  });
}
