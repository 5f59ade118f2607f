import type { z } from "zod";
import type { CompetitorAnswer } from "../../../shops/competitor_store.ts";

export type Competitor = z.infer<typeof CompetitorAnswer>;
