/** Products whose brake has opened: the rules are asked again, although nothing else has happened. */
import { findBrakePass, saveBrakePass, walkBrakes } from "./brake_store.ts";
import { type EndedSetup, queueEnded } from "./queue_ended.ts";

/** The pass of every minute; each brake once, however many processes ask. Answers how many have opened. */
export async function queueOpenedBrakes(setup: EndedSetup): Promise<number> {
  return await queueEnded(setup, {
    name: "opened brakes",
    findPass: findBrakePass,
    walk: walkBrakes,
    savePass: saveBrakePass,
  });
}
