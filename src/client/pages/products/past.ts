/** The chart of a product as the service answers it. */
import type { Wire } from "../../api/wire.ts";

export type ProductChart = Pick<Wire<"ProductChart">, "currency" | "own" | "shops">;
