import type { z } from "zod";
import type { CompetitorAnswer } from "../../../shops/competitor.ts";

/** A competitor as the service shows it, with how fetching from it goes. */
export type Competitor = z.infer<typeof CompetitorAnswer>;
