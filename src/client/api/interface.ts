/**
 * The in-app interface as types, made from its document:
 * UPDATE_DOCS=1 deno test -A tests/api/client_types_test.ts
 */
// deno-fmt-ignore-file
// deno-lint-ignore-file
export interface paths {
    "/api/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SetUpState"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SetUp"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SetUpDone"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MyChange"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordChange"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Workspace"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WorkspaceSettings"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Workspace"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/import-hold/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Workspace"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewUser"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkedUser"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UserChange"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["People"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/reset-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkedUser"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Acceptance"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiKeyPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedApiKey"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    action?: string | number | boolean | null;
                    resource?: string | number | boolean | null;
                    actor?: string | number | boolean | null;
                    from?: string | number | boolean | null;
                    to?: string | number | boolean | null;
                    product?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    rule?: string | number | boolean | null;
                    only?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuditPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-logs/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    action?: string | number | boolean | null;
                    resource?: string | number | boolean | null;
                    actor?: string | number | boolean | null;
                    from?: string | number | boolean | null;
                    to?: string | number | boolean | null;
                    product?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    rule?: string | number | boolean | null;
                    only?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuditCounts"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-logs.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    action?: string | number | boolean | null;
                    resource?: string | number | boolean | null;
                    actor?: string | number | boolean | null;
                    from?: string | number | boolean | null;
                    to?: string | number | boolean | null;
                    product?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    rule?: string | number | boolean | null;
                    only?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-logs.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    action?: string | number | boolean | null;
                    resource?: string | number | boolean | null;
                    actor?: string | number | boolean | null;
                    from?: string | number | boolean | null;
                    to?: string | number | boolean | null;
                    product?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    rule?: string | number | boolean | null;
                    only?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ViewPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewView"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["View"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["View"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ViewPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["View"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    brand?: string | number | boolean | null;
                    category?: string | number | boolean | null;
                    tier?: string | number | boolean | null;
                    condition?: string | number | boolean | null;
                    stock?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    updatedSince?: string | number | boolean | null;
                    isHeld?: string | number | boolean | null;
                    includeDeleted?: string | number | boolean | null;
                    offers?: string | number | boolean | null;
                    sort?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                    dearerThanPct?: string | number | boolean | null;
                    roomAbovePct?: string | number | boolean | null;
                    marginBelowPct?: string | number | boolean | null;
                    rankMin?: string | number | boolean | null;
                    rankMax?: string | number | boolean | null;
                    position?: string | number | boolean | null;
                    state?: string | number | boolean | null;
                    hasProposal?: string | number | boolean | null;
                    competitorId?: string | number | boolean | null;
                    cheapestCompetitorId?: string | number | boolean | null;
                    undercutBy?: string | number | boolean | null;
                    missing?: string | number | boolean | null;
                    ruleId?: string | number | boolean | null;
                    newestBefore?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: {
                                id: string;
                                sku: string;
                                title: string;
                                brand: string | null;
                                category: string | null;
                                tier: string | null;
                                /** @example 29999 */
                                ourPrice: number | null;
                                /** @example 29999 */
                                ourPriceCents: number | null;
                                /** Format: date-time */
                                ourPriceUpdatedAt: string | null;
                                /** @example 29999 */
                                costPrice: number | null;
                                /** @example 29999 */
                                costPriceCents: number | null;
                                /** @example 29999 */
                                targetPrice: number | null;
                                /** @example 29999 */
                                targetPriceCents: number | null;
                                /** @example 29999 */
                                minPrice: number | null;
                                /** @example 29999 */
                                minPriceCents: number | null;
                                /** @example 29999 */
                                maxPrice: number | null;
                                /** @example 29999 */
                                maxPriceCents: number | null;
                                /** @example 29999 */
                                shippingPrice: number | null;
                                /** @example 29999 */
                                shippingPriceCents: number | null;
                                currency: string;
                                ean: string | null;
                                mpn: string | null;
                                url: string | null;
                                vatRatePct: number | null;
                                /** @enum {string|null} */
                                condition: "new" | "refurbished" | "used" | "damaged" | null;
                                stock: number | null;
                                attributes: {
                                    [key: string]: string;
                                };
                                prices: components["schemas"]["TierPrice"][];
                                priceLocked: boolean;
                                /** Format: date-time */
                                heldUntil: string | null;
                                scrapeEnabled: boolean;
                                scrapeIntervalHours: number;
                                /** Format: date-time */
                                lastScrapedAt: string | null;
                                /** Format: date-time */
                                createdAt: string;
                                /** Format: date-time */
                                updatedAt: string;
                                /** Format: date-time */
                                deletedAt: string | null;
                                market: components["schemas"]["ProductMarket"] | null;
                                competitorOffers?: components["schemas"]["MarketOffer"][];
                            }[];
                            nextCursor: string | null;
                            count: number;
                            total: number | null;
                            /** Format: date-time */
                            asOf: string;
                            moved: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewProduct"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Product"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulkChange"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BulkOutcome"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/bulk/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    allowLargeChange?: string | number | boolean | null;
                };
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulkPrices"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BulkPricesOutcome"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    includeDeleted?: string | number | boolean | null;
                    offers?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            id: string;
                            sku: string;
                            title: string;
                            brand: string | null;
                            category: string | null;
                            tier: string | null;
                            /** @example 29999 */
                            ourPrice: number | null;
                            /** @example 29999 */
                            ourPriceCents: number | null;
                            /** Format: date-time */
                            ourPriceUpdatedAt: string | null;
                            /** @example 29999 */
                            costPrice: number | null;
                            /** @example 29999 */
                            costPriceCents: number | null;
                            /** @example 29999 */
                            targetPrice: number | null;
                            /** @example 29999 */
                            targetPriceCents: number | null;
                            /** @example 29999 */
                            minPrice: number | null;
                            /** @example 29999 */
                            minPriceCents: number | null;
                            /** @example 29999 */
                            maxPrice: number | null;
                            /** @example 29999 */
                            maxPriceCents: number | null;
                            /** @example 29999 */
                            shippingPrice: number | null;
                            /** @example 29999 */
                            shippingPriceCents: number | null;
                            currency: string;
                            ean: string | null;
                            mpn: string | null;
                            url: string | null;
                            vatRatePct: number | null;
                            /** @enum {string|null} */
                            condition: "new" | "refurbished" | "used" | "damaged" | null;
                            stock: number | null;
                            attributes: {
                                [key: string]: string;
                            };
                            prices: components["schemas"]["TierPrice"][];
                            priceLocked: boolean;
                            /** Format: date-time */
                            heldUntil: string | null;
                            scrapeEnabled: boolean;
                            scrapeIntervalHours: number;
                            /** Format: date-time */
                            lastScrapedAt: string | null;
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            updatedAt: string;
                            /** Format: date-time */
                            deletedAt: string | null;
                            competitorPrices: components["schemas"]["CompetitorPrice"][];
                            market: components["schemas"]["ProductMarket"] | null;
                            competitorOffers?: components["schemas"]["MarketOffer"][];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: {
                    allowLargeChange?: string | number | boolean | null;
                };
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProductChange"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Product"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/products/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Product"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    brand?: string | number | boolean | null;
                    category?: string | number | boolean | null;
                    tier?: string | number | boolean | null;
                    condition?: string | number | boolean | null;
                    stock?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    updatedSince?: string | number | boolean | null;
                    isHeld?: string | number | boolean | null;
                    sort?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                    dearerThanPct?: string | number | boolean | null;
                    roomAbovePct?: string | number | boolean | null;
                    marginBelowPct?: string | number | boolean | null;
                    rankMin?: string | number | boolean | null;
                    rankMax?: string | number | boolean | null;
                    position?: string | number | boolean | null;
                    state?: string | number | boolean | null;
                    hasProposal?: string | number | boolean | null;
                    competitorId?: string | number | boolean | null;
                    cheapestCompetitorId?: string | number | boolean | null;
                    undercutBy?: string | number | boolean | null;
                    missing?: string | number | boolean | null;
                    ruleId?: string | number | boolean | null;
                    newestBefore?: string | number | boolean | null;
                    includeDeleted?: string | number | boolean | null;
                    columns?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    brand?: string | number | boolean | null;
                    category?: string | number | boolean | null;
                    tier?: string | number | boolean | null;
                    condition?: string | number | boolean | null;
                    stock?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    updatedSince?: string | number | boolean | null;
                    isHeld?: string | number | boolean | null;
                    sort?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                    dearerThanPct?: string | number | boolean | null;
                    roomAbovePct?: string | number | boolean | null;
                    marginBelowPct?: string | number | boolean | null;
                    rankMin?: string | number | boolean | null;
                    rankMax?: string | number | boolean | null;
                    position?: string | number | boolean | null;
                    state?: string | number | boolean | null;
                    hasProposal?: string | number | boolean | null;
                    competitorId?: string | number | boolean | null;
                    cheapestCompetitorId?: string | number | boolean | null;
                    undercutBy?: string | number | boolean | null;
                    missing?: string | number | boolean | null;
                    ruleId?: string | number | boolean | null;
                    newestBefore?: string | number | boolean | null;
                    includeDeleted?: string | number | boolean | null;
                    columns?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/price-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    from?: string | number | boolean | null;
                    to?: string | number | boolean | null;
                    includeDeleted?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["PriceHistoryEntry"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/price-history/{at}/mark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                    at: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPriceMark"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PriceHistoryEntry"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/lowest-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    at?: string | number | boolean | null;
                    includeDeleted?: string | number | boolean | null;
                    tier?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LowestPrice"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/price-evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    at?: string | number | boolean | null;
                    includeDeleted?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PriceEvidence"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/price-evidence.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    at?: string | number | boolean | null;
                    includeDeleted?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/price-evidence.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    at?: string | number | boolean | null;
                    includeDeleted?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/sales": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    from?: string | number | boolean | null;
                    to?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Sales"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["Competitor"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCompetitor"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Competitor"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Competitor"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CompetitorPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Competitor"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/competitor-products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    productId?: string | number | boolean | null;
                    competitorId?: string | number | boolean | null;
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["CompetitorProduct"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCompetitorProduct"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CompetitorProduct"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitor-products/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulkLinks"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            results: components["schemas"]["LinkResult"][];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitor-products/no-price": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NoPriceRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NoPriceOutcome"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitor-products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CompetitorProduct"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CompetitorProductPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CompetitorProduct"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/competitor-products/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CompetitorProduct"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitor-products/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CompetitorProduct"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitor-products/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CompetitorProduct"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    productId?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    competitorId?: string | number | boolean | null;
                    competitorProductId?: string | number | boolean | null;
                    from?: string | number | boolean | null;
                    to?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["Observation"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    source?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: {
                    source?: string | number | boolean | null;
                    mode?: string | number | boolean | null;
                    profile?: string | number | boolean | null;
                    tier?: string | number | boolean | null;
                    dryRun?: string | number | boolean | null;
                    force?: string | number | boolean | null;
                    allowNoPrices?: string | number | boolean | null;
                    strict?: string | number | boolean | null;
                };
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                    Prefer?: components["parameters"]["Prefer"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/octet-stream": FormData;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports/{jobId}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    severity?: string | number | boolean | null;
                    format?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportFindingPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports/{jobId}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    force?: string | number | boolean | null;
                    allowNoPrices?: string | number | boolean | null;
                };
                header?: {
                    Prefer?: components["parameters"]["Prefer"];
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ImportApplication"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports/{jobId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports/{jobId}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    dryRun?: string | number | boolean | null;
                    reason?: string | number | boolean | null;
                    pause?: string | number | boolean | null;
                };
                header?: {
                    Prefer?: components["parameters"]["Prefer"];
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports/{jobId}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports/{jobId}/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Import"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-profile-schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    source?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportProfilePage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewImportProfile"] | components["schemas"]["NewTableProfile"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportProfileDocument"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-profiles/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    profile?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/octet-stream": FormData;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportPreview"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-profiles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    format?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportProfileDocument"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportProfileDocument"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/import-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    source?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportSourcePage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewImportSource"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportSource"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-sources/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportSource"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ImportSourcePatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportSource"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/import-sources/{id}/pull": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportSource"];
                    };
                };
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ImportSource"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    source?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/imports.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    source?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-sources.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/import-sources.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReferenceList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReferenceList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Rule"][];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewRule"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SingleRule"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SingleRule"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RulePatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SingleRule"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/rules/{id}/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Toggled"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DraftSimulateRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Simulation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClauseCountRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClauseCounts"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/automation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Automation"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/automation/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AutomationStopRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Automation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/automation/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["AutomationResumeRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Automation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["SimulateRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Simulation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{id}/learning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    month?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RuleLearning"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{id}/backtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["BacktestRequest"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            jobId: string;
                            /** @enum {string} */
                            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/backtests/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Backtest"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DecisionPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/brakes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    ruleId?: string | number | boolean | null;
                    productId?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BrakePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/brakes.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    ruleId?: string | number | boolean | null;
                    productId?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/brakes.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    ruleId?: string | number | boolean | null;
                    productId?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/brakes/{productId}/{ruleId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    productId: string;
                    ruleId: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["BrakeRelease"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quarantine/shops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HeldShops"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quarantine/shops/{competitorId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    competitorId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ShopDecision"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ShopOutcome"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    competitorId?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HeldPricePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quarantine.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    competitorId?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quarantine.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    competitorId?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/quarantine/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["QuarantineDecision"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["QuarantineOutcome"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/simulations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SimulationRequest"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SimulationStarted"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/simulations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CatalogueSimulation"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/simulations/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    outcome?: string | number | boolean | null;
                    guard?: string | number | boolean | null;
                    sort?: string | number | boolean | null;
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SimulationItemPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/simulations/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CatalogueSimulation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rules/{id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RuleApplyRequest"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RuleApplied"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/chart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    days?: string | number | boolean | null;
                    includeDeleted?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProductChart"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    types?: string | number | boolean | null;
                    includeDeleted?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["TimelineItem"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/market/moves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    since?: string | number | boolean | null;
                    kind?: string | number | boolean | null;
                    competitorId?: string | number | boolean | null;
                    category?: string | number | boolean | null;
                    hasCategory?: string | number | boolean | null;
                    groupBy?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MarketMoves"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/market/moves.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    since?: string | number | boolean | null;
                    kind?: string | number | boolean | null;
                    competitorId?: string | number | boolean | null;
                    category?: string | number | boolean | null;
                    hasCategory?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/market/moves.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    since?: string | number | boolean | null;
                    kind?: string | number | boolean | null;
                    competitorId?: string | number | boolean | null;
                    category?: string | number | boolean | null;
                    hasCategory?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/market/trend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    days?: string | number | boolean | null;
                    brand?: string | number | boolean | null;
                    category?: string | number | boolean | null;
                    competitorId?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MarketTrend"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/market/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    by?: string | number | boolean | null;
                    brand?: string | number | boolean | null;
                    category?: string | number | boolean | null;
                    tier?: string | number | boolean | null;
                    condition?: string | number | boolean | null;
                    stock?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    updatedSince?: string | number | boolean | null;
                    isHeld?: string | number | boolean | null;
                    dearerThanPct?: string | number | boolean | null;
                    roomAbovePct?: string | number | boolean | null;
                    marginBelowPct?: string | number | boolean | null;
                    rankMin?: string | number | boolean | null;
                    rankMax?: string | number | boolean | null;
                    position?: string | number | boolean | null;
                    state?: string | number | boolean | null;
                    hasProposal?: string | number | boolean | null;
                    competitorId?: string | number | boolean | null;
                    cheapestCompetitorId?: string | number | boolean | null;
                    undercutBy?: string | number | boolean | null;
                    missing?: string | number | boolean | null;
                    ruleId?: string | number | boolean | null;
                    newestBefore?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MarketSummary"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    by?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Coverage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coverage/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    missing?: string | number | boolean | null;
                    brand?: string | number | boolean | null;
                    category?: string | number | boolean | null;
                    tier?: string | number | boolean | null;
                    condition?: string | number | boolean | null;
                    stock?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    updatedSince?: string | number | boolean | null;
                    isHeld?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["Product"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coverage/products.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    missing?: string | number | boolean | null;
                    brand?: string | number | boolean | null;
                    category?: string | number | boolean | null;
                    tier?: string | number | boolean | null;
                    condition?: string | number | boolean | null;
                    stock?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    updatedSince?: string | number | boolean | null;
                    isHeld?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/coverage/products.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    missing?: string | number | boolean | null;
                    brand?: string | number | boolean | null;
                    category?: string | number | boolean | null;
                    tier?: string | number | boolean | null;
                    condition?: string | number | boolean | null;
                    stock?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    updatedSince?: string | number | boolean | null;
                    isHeld?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/price-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    since?: string | number | boolean | null;
                    format?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PriceChangePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/price-arrivals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    status?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["PriceArrival"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/price-arrivals.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    status?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/price-arrivals.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    status?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Overview"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/overview/shops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ShopFreshness"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/overview/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MorningMail"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MorningMailChange"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MorningMail"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/overview/mail/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MailTest"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    status?: string | number | boolean | null;
                    ruleId?: string | number | boolean | null;
                    productId?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    later?: string | number | boolean | null;
                    direction?: string | number | boolean | null;
                    changeBelowPct?: string | number | boolean | null;
                    marginBelowPct?: string | number | boolean | null;
                    hasMarketMoved?: string | number | boolean | null;
                    expiresBefore?: string | number | boolean | null;
                    createdBefore?: string | number | boolean | null;
                    decidedSince?: string | number | boolean | null;
                    sort?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProposalPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/proposals.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    status?: string | number | boolean | null;
                    ruleId?: string | number | boolean | null;
                    productId?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    later?: string | number | boolean | null;
                    direction?: string | number | boolean | null;
                    changeBelowPct?: string | number | boolean | null;
                    marginBelowPct?: string | number | boolean | null;
                    hasMarketMoved?: string | number | boolean | null;
                    expiresBefore?: string | number | boolean | null;
                    createdBefore?: string | number | boolean | null;
                    decidedSince?: string | number | boolean | null;
                    sort?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/proposals.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    status?: string | number | boolean | null;
                    ruleId?: string | number | boolean | null;
                    productId?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    later?: string | number | boolean | null;
                    direction?: string | number | boolean | null;
                    changeBelowPct?: string | number | boolean | null;
                    marginBelowPct?: string | number | boolean | null;
                    hasMarketMoved?: string | number | boolean | null;
                    expiresBefore?: string | number | boolean | null;
                    createdBefore?: string | number | boolean | null;
                    decidedSince?: string | number | boolean | null;
                    sort?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/proposals/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    ruleId?: string | number | boolean | null;
                    productId?: string | number | boolean | null;
                    sku?: string | number | boolean | null;
                    q?: string | number | boolean | null;
                    changeBelowPct?: string | number | boolean | null;
                    marginBelowPct?: string | number | boolean | null;
                    expiresBefore?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProposalSummary"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/proposals/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulkDecision"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BulkDecisionOutcome"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/proposals/bulk/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ProposalPreviewQuery"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProposalPreview"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/proposals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProposalInMarket"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/proposals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: {
                    allowLargeChange?: string | number | boolean | null;
                };
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ProposalApproval"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Proposal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/proposals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ProposalRejection"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Proposal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/proposals/{id}/later": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProposalPutOff"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Proposal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/proposals/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Proposal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/proposals/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ProposalRollBack"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Proposal"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/products/{id}/scrape-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StartedScrapeRun"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scrape-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    productId?: string | number | boolean | null;
                    status?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["ScrapeRun"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ScrapeRunsRequest"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StartedScrapeRuns"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scrape-runs.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    productId?: string | number | boolean | null;
                    status?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scrape-runs.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    productId?: string | number | boolean | null;
                    status?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scrape-runs/{runId}/results.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scrape-runs/{runId}/results.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scrape-runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScrapeRun"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scrape-runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    runId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScrapeRun"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/scrape-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScrapeMethodList"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/extract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ExtractRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExtractReport"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitor-products/{id}/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnsurePage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors/{id}/fetch-days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FetchDays"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitor-products/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PreviewRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Preview"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repairs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    competitorId?: string | number | boolean | null;
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RepairGroups"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repairs/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    competitorId?: string | number | boolean | null;
                    cause?: string | number | boolean | null;
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["RepairPage"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repairs/retries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RetryRequest"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Retry"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repairs/retries/{retryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    retryId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Retry"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repairs/retries/{retryId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    retryId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Retry"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors/{id}/recipe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ShopRecipeAnswer"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SaveRecipeRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ShopRecipeAnswer"];
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors/{id}/recipe/teach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TeachRecipeRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RecipeTeaching"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors/{id}/recipe/relearn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ShopRecipeAnswer"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/link-checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["LinkCheck"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LinkCheckRequest"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StartedLinkCheck"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/link-checks/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkCheck"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/link-checks/{jobId}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    outcome?: string | number | boolean | null;
                    status?: string | number | boolean | null;
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["LinkCheckLine"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/link-checks/{jobId}/lines.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    outcome?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/link-checks/{jobId}/lines.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    outcome?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/link-checks/{jobId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AcceptLinkLines"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AcceptedLinkLines"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/link-checks/{jobId}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DropLinkLines"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DroppedLinkLines"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/link-checks/{jobId}/shops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MissingShopsOfLines"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["NewShopsOfLines"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MadeShopsOfLines"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/link-checks/{jobId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    jobId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkCheck"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors/{id}/discovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Discovery"];
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DiscoverySettings"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Discovery"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors/{id}/discovery/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Discovery"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors/{id}/discovery/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Discovery"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors/{id}/discovery/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Discovery"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/match-suggestions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    status?: string | number | boolean | null;
                    competitorId?: string | number | boolean | null;
                    productId?: string | number | boolean | null;
                    verdict?: string | number | boolean | null;
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["MatchSuggestion"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors/{id}/discovery/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    q?: string | number | boolean | null;
                    gtin?: string | number | boolean | null;
                    linked?: string | number | boolean | null;
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            items: components["schemas"]["KnownPage"][];
                            nextCursor: string | null;
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors/{id}/discovery/pages.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    q?: string | number | boolean | null;
                    gtin?: string | number | boolean | null;
                    linked?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/competitors/{id}/discovery/pages.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    q?: string | number | boolean | null;
                    gtin?: string | number | boolean | null;
                    linked?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/match-suggestions/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulkSuggestions"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            results: components["schemas"]["SuggestionOutcome"][];
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/match-suggestions/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SuggestionCounts"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/match-suggestions/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MatchSuggestion"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/match-suggestions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MatchSuggestion"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/match-suggestions/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["AcceptSuggestion"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MatchSuggestion"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/match-suggestions/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["RejectSuggestion"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MatchSuggestion"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                    severity?: string | number | boolean | null;
                    ruleId?: string | number | boolean | null;
                    productId?: string | number | boolean | null;
                    unread?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    severity?: string | number | boolean | null;
                    ruleId?: string | number | boolean | null;
                    productId?: string | number | boolean | null;
                    unread?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                    dialect?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts.xlsx": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    severity?: string | number | boolean | null;
                    ruleId?: string | number | boolean | null;
                    productId?: string | number | boolean | null;
                    unread?: string | number | boolean | null;
                    order?: string | number | boolean | null;
                    lang?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/unread-count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            count: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Alert"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/alerts/read-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            ok: true;
                            count: number;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/settings/mail-test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MailTest"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WebhookPage"];
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedWebhook"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: {
                    "If-Match"?: components["parameters"]["If-Match"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: string | number | boolean | null;
                    cursor?: string | number | boolean | null;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveryPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                    deliveryId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Delivery"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Delivery"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ok"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            openapi: "3.1.0";
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        SetUpState: {
            open: boolean;
        };
        Error: {
            error: {
                /**
                 * @example validation_failed
                 * @enum {string}
                 */
                code: "validation_failed" | "invalid_json" | "invalid_cursor" | "missing_credentials" | "invalid_api_key" | "not_authenticated" | "invalid_login" | "insufficient_scope" | "forbidden" | "csrf_refused" | "not_found" | "method_not_allowed" | "request_timeout" | "sku_exists" | "conflict" | "version_conflict" | "payload_too_large" | "unsupported_media_type" | "price_unit_suspicious" | "import_refused" | "market_too_large" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable";
                message: string;
                /** @example req_01JD0Z5W6Q8X9Y7V3T2R1P0N4M */
                requestId: string;
                details?: {
                    [key: string]: unknown;
                };
            };
        };
        SetUpDone: {
            user: components["schemas"]["User"];
            workspace: components["schemas"]["Workspace"];
        };
        User: {
            id: string;
            email: string;
            /** @example Jana Petersen */
            name: string | null;
            role: components["schemas"]["Role"];
            /** @enum {string} */
            status: "invited" | "active";
            /** Format: date-time */
            createdAt: string;
        };
        RoleSent: string;
        /** @enum {string} */
        Role: "viewer" | "manager" | "owner";
        WorkspaceAutomationStop: {
            /** Format: date-time */
            at: string;
            byName: string;
            reason: string;
        };
        WorkspaceQuarantine: Record<string, never>;
        WorkspaceApproval: {
            beyondPct: number;
            people: number;
        };
        WorkspaceImportHold: {
            movePct: number;
            sharePct: number;
        };
        Workspace: {
            id: string;
            name: string;
            /** @example EUR */
            currency: string;
            /** @example Europe/Berlin */
            timeZone: string;
            /** @example de-DE */
            locale: string;
            pricesIncludeVat: boolean;
            vatRatePct: number | null;
            ownShippingCents: number | null;
            autoApply: boolean;
            budgetPerDay: number | null;
            automationStop: components["schemas"]["WorkspaceAutomationStop"] | null;
            quarantine: components["schemas"]["WorkspaceQuarantine"] | null;
            approval: components["schemas"]["WorkspaceApproval"] | null;
            importHold: components["schemas"]["WorkspaceImportHold"] | null;
            importHoldUnconfirmed: boolean;
            importExpectedHours: number | null;
            /** Format: date-time */
            createdAt: string;
            ownShipping: number | null;
        };
        SetUpImportHold: {
            movePct: string | number | null;
            sharePct: string | number | null;
        };
        SetUp: {
            currency?: string | null;
            timeZone?: string | null;
            locale?: string | null;
            pricesIncludeVat?: boolean | null;
            vatRatePct?: string | number | null;
            importHold?: components["schemas"]["SetUpImportHold"] | null;
            token: string;
            workspace: string;
            /**
             * Format: email
             * @example anna@shop.example
             */
            email: string;
            password: string;
        };
        Login: {
            email: string;
            password: string;
        };
        Ok: {
            /** @enum {boolean} */
            ok: true;
        };
        Me: {
            id: string;
            email: string;
            /** @example Jana Petersen */
            name: string | null;
            role: components["schemas"]["Role"];
            /** @enum {string} */
            status: "invited" | "active";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastVisitAt: string | null;
        };
        MyChange: {
            /** @example Jana Petersen */
            name?: string | null;
        };
        PasswordChange: {
            currentPassword: string;
            newPassword: string;
        };
        WorkspaceSettingsOwnShipping: (string | number | null) | string;
        WorkspaceSettingsQuarantine: Record<string, never>;
        WorkspaceSettingsApproval: {
            beyondPct: string | number | null;
            people: string | number | null;
        };
        WorkspaceSettingsImportHold: {
            movePct: string | number | null;
            sharePct: string | number | null;
        };
        WorkspaceSettings: {
            name?: string;
            currency?: string | null;
            timeZone?: string | null;
            locale?: string | null;
            pricesIncludeVat?: boolean | null;
            vatRatePct?: string | number | null;
            /** @example 4.95 */
            ownShipping?: components["schemas"]["WorkspaceSettingsOwnShipping"] | null;
            ownShippingCents?: string | number | null;
            autoApply?: boolean | null;
            budgetPerDay?: string | number | null;
            quarantine?: components["schemas"]["WorkspaceSettingsQuarantine"] | null;
            approval?: components["schemas"]["WorkspaceSettingsApproval"] | null;
            importHold?: components["schemas"]["WorkspaceSettingsImportHold"] | null;
            importExpectedHours?: string | number | null;
        };
        UserPage: {
            items: components["schemas"]["User"][];
            nextCursor: string | null;
            count: number;
        };
        LinkedUser: {
            id: string;
            email: string;
            /** @example Jana Petersen */
            name: string | null;
            role: components["schemas"]["Role"];
            /** @enum {string} */
            status: "invited" | "active";
            /** Format: date-time */
            createdAt: string;
            link: string;
            /** Format: date-time */
            linkExpiresAt: string;
        };
        NewUser: {
            /**
             * Format: email
             * @example anna@shop.example
             */
            email: string;
            role: components["schemas"]["RoleSent"];
            /** @example Jana Petersen */
            name?: string | null;
        };
        UserChange: {
            role?: components["schemas"]["RoleSent"];
            /** @example Jana Petersen */
            name?: string | null;
        };
        People: {
            items: {
                id: string;
                name: string;
            }[];
        };
        Acceptance: {
            token: string;
            password: string;
        };
        ApiKeyPage: {
            items: components["schemas"]["ApiKey"][];
            nextCursor: string | null;
            count: number;
        };
        ApiKey: {
            id: string;
            name: string;
            /** @example pk_live_4fQ7 */
            prefix: string;
            scopes: string[];
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        CreatedApiKey: {
            id: string;
            name: string;
            /** @example pk_live_4fQ7 */
            prefix: string;
            scopes: string[];
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
            key: string;
        };
        NewApiKey: {
            name: string;
            scopes: readonly string[];
            /** Format: date-time */
            expiresAt?: string | null;
        };
        AuditPage: {
            items: components["schemas"]["AuditRow"][];
            nextCursor: string | null;
            count: number;
            names: {
                [key: string]: string;
            };
        };
        AuditRow: {
            id: string;
            /** Format: date-time */
            at: string;
            actor: {
                /** @enum {string} */
                type: "user" | "api_key" | "system";
                id: string;
                name: string;
            };
            /** @example product.update */
            action: string;
            resource: {
                type: string;
                id: string;
                label: string;
            };
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
            currency?: string;
            /**
             * @example [
             *       "rule:64f0c2a1e4b0a1b2c3d4e5f6"
             *     ]
             */
            about?: string[];
            reason?: string;
            /** @enum {string} */
            brokenBound?: "below_min" | "above_max";
            requestId: string;
        };
        AuditCounts: {
            total: number;
            price: number;
            people: number;
            rules: number;
            reason: number;
            beyond: number;
            undone: number;
            isCut: boolean;
        };
        ViewPage: {
            items: components["schemas"]["View"][];
            nextCursor: string | null;
            count: number;
        };
        View: {
            id: string;
            name: string;
            /** @example dearerThanPct=3&sort=gapPct&order=desc */
            query: string;
            columns: string[];
            isShared: boolean;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        NewView: {
            name: string;
            /** @example dearerThanPct=3&sort=gapPct&order=desc */
            query?: string;
            columns?: readonly string[];
            isShared?: boolean;
        };
        ViewPatch: {
            name?: string;
            /** @example dearerThanPct=3&sort=gapPct&order=desc */
            query?: string;
            columns?: readonly string[];
            isShared?: boolean;
        };
        Product: {
            id: string;
            sku: string;
            title: string;
            brand: string | null;
            category: string | null;
            tier: string | null;
            /** @example 29999 */
            ourPrice: number | null;
            /** @example 29999 */
            ourPriceCents: number | null;
            /** Format: date-time */
            ourPriceUpdatedAt: string | null;
            /** @example 29999 */
            costPrice: number | null;
            /** @example 29999 */
            costPriceCents: number | null;
            /** @example 29999 */
            targetPrice: number | null;
            /** @example 29999 */
            targetPriceCents: number | null;
            /** @example 29999 */
            minPrice: number | null;
            /** @example 29999 */
            minPriceCents: number | null;
            /** @example 29999 */
            maxPrice: number | null;
            /** @example 29999 */
            maxPriceCents: number | null;
            /** @example 29999 */
            shippingPrice: number | null;
            /** @example 29999 */
            shippingPriceCents: number | null;
            currency: string;
            ean: string | null;
            mpn: string | null;
            url: string | null;
            vatRatePct: number | null;
            /** @enum {string|null} */
            condition: "new" | "refurbished" | "used" | "damaged" | null;
            stock: number | null;
            attributes: {
                [key: string]: string;
            };
            prices: components["schemas"]["TierPrice"][];
            priceLocked: boolean;
            /** Format: date-time */
            heldUntil: string | null;
            scrapeEnabled: boolean;
            scrapeIntervalHours: number;
            /** Format: date-time */
            lastScrapedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            deletedAt: string | null;
        };
        TierPrice: {
            tier: string | null;
            amountCents: number;
            currency: string;
            minQty: number | null;
            /** Format: date-time */
            validFrom: string | null;
        };
        NewProductOurPrice: (string | number | null) | string;
        NewProductCostPrice: (string | number | null) | string;
        NewProductTargetPrice: (string | number | null) | string;
        NewProductMinPrice: (string | number | null) | string;
        NewProductMaxPrice: (string | number | null) | string;
        NewProductShippingPrice: (string | number | null) | string;
        /**
         * @example {
         *       "sku": "SKU-1",
         *       "title": "Kühlschrank KS 300",
         *       "brand": "Sony",
         *       "ourPrice": 299.99,
         *       "currency": "EUR"
         *     }
         */
        NewProduct: {
            /** @example SKU-1 */
            sku: string;
            /** @example Kühlschrank KS 300 */
            title: string;
            /** @example EUR */
            currency?: string | null;
            brand?: string | null;
            category?: string | null;
            tier?: string | null;
            /** @example 299.99 */
            ourPrice?: components["schemas"]["NewProductOurPrice"] | null;
            /** @example 29999 */
            ourPriceCents?: string | number | null;
            /** @example 299.99 */
            costPrice?: components["schemas"]["NewProductCostPrice"] | null;
            /** @example 29999 */
            costPriceCents?: string | number | null;
            /** @example 299.99 */
            targetPrice?: components["schemas"]["NewProductTargetPrice"] | null;
            /** @example 29999 */
            targetPriceCents?: string | number | null;
            /** @example 4006381333931 */
            ean?: string | null;
            mpn?: string | null;
            /** Format: uri */
            url?: string | null;
            vatRatePct?: string | number | null;
            attributes?: {
                [key: string]: string;
            } | null;
            priceLocked?: boolean | null;
            /**
             * Format: date-time
             * @example 2026-12-01T00:00:00Z
             */
            heldUntil?: string | null;
            scrapeEnabled?: boolean | null;
            scrapeIntervalHours?: string | number | null;
            /** @example 299.99 */
            minPrice?: components["schemas"]["NewProductMinPrice"] | null;
            /** @example 29999 */
            minPriceCents?: string | number | null;
            /** @example 299.99 */
            maxPrice?: components["schemas"]["NewProductMaxPrice"] | null;
            /** @example 29999 */
            maxPriceCents?: string | number | null;
            /** @example 299.99 */
            shippingPrice?: components["schemas"]["NewProductShippingPrice"] | null;
            /** @example 29999 */
            shippingPriceCents?: string | number | null;
            condition?: string | null;
            /** @example 12 */
            stock?: string | number | null;
        };
        ProductMarketProposal: {
            id: string;
            proposedCents: number;
            changePct: number | null;
        };
        ProductMarketRule: {
            id: string;
            name: string;
        };
        ProductMarket: {
            /** @enum {string} */
            state: "no_links" | "unreadable" | "never_seen" | "not_comparable" | "stale" | "sold_out" | "ok";
            links: number;
            offers: number;
            cheapestCents: number | null;
            cheapestCompetitorId: string | null;
            cheapestCompetitor: string | null;
            /** @enum {string|null} */
            cheapestMatchType: "exact" | "equivalent" | null;
            cheapestInStock: boolean | null;
            cheapestCount: number;
            gapCents: number | null;
            gapPct: number | null;
            roomPct: number | null;
            rank: number | null;
            of: number;
            /** @enum {string|null} */
            position: "cheapest" | "middle" | "dearest" | null;
            medianCents: number | null;
            averageCents: number | null;
            indexPct: number | null;
            /** Format: date-time */
            newestAt: string | null;
            marginPct: number | null;
            proposal: components["schemas"]["ProductMarketProposal"] | null;
            rule: components["schemas"]["ProductMarketRule"] | null;
        };
        MarketOffer: {
            competitorProductId: string;
            competitorId: string;
            competitor: string;
            priceCents: number | null;
            unitCents: number | null;
            currency: string | null;
            packFactor: number;
            inStock: boolean | null;
            /** Format: date-time */
            observedAt: string | null;
            counts: boolean;
            why: string | null;
        };
        BulkOutcome: {
            changed: number;
            unchanged: number;
            missing: string[];
        };
        BulkChange: {
            ids?: readonly string[];
            filter?: {
                /** @example bosch */
                brand?: string;
                category?: string;
                tier?: string;
                /** @example new */
                condition?: string;
                stock?: boolean;
                sku?: string;
                q?: string;
                updatedSince?: string;
                isHeld?: boolean;
                dearerThanPct?: string;
                roomAbovePct?: string;
                marginBelowPct?: string;
                rankMin?: string;
                rankMax?: string;
                position?: string;
                state?: string;
                hasProposal?: string;
                competitorId?: string;
                cheapestCompetitorId?: string;
                undercutBy?: string;
                missing?: string;
                ruleId?: string;
                newestBefore?: string;
            };
            set: {
                priceLocked?: boolean;
                /**
                 * Format: date-time
                 * @example 2026-12-01T00:00:00Z
                 */
                heldUntil?: string | null;
                condition?: string | null;
                scrapeEnabled?: boolean;
                scrapeIntervalHours?: string | number | null;
            };
            having?: {
                priceLocked?: boolean;
                /**
                 * Format: date-time
                 * @example 2026-12-01T00:00:00Z
                 */
                heldUntil?: string | null;
                condition?: string | null;
                scrapeEnabled?: boolean;
                scrapeIntervalHours?: string | number | null;
            };
        };
        BulkPricesOutcome: {
            results: {
                id: string;
                ok: boolean;
                error?: {
                    code: string;
                    message: string;
                };
            }[];
        };
        BulkPrices: {
            prices: readonly {
                id: string;
                currency: string;
                /** @example 29999 */
                seenCents: string | number | null;
                /** @example 29999 */
                ourPriceCents: string | number | null;
            }[];
            /** @example Campaign with the manufacturer */
            reason?: string | null;
        };
        CompetitorPrice: {
            competitor: string;
            domain: string;
            url: string;
            price: number | null;
            unitPrice: number | null;
            packFactor: number;
            currency: string | null;
            inStock: boolean | null;
            /** Format: date-time */
            lastCheckedAt: string | null;
        };
        ProductChangeOurPrice: (string | number | null) | string;
        ProductChangeCostPrice: (string | number | null) | string;
        ProductChangeTargetPrice: (string | number | null) | string;
        ProductChangeMinPrice: (string | number | null) | string;
        ProductChangeMaxPrice: (string | number | null) | string;
        ProductChangeShippingPrice: (string | number | null) | string;
        ProductChange: {
            /** @example SKU-1 */
            sku?: string;
            /** @example Kühlschrank KS 300 */
            title?: string;
            /** @example EUR */
            currency?: string;
            brand?: string | null;
            category?: string | null;
            tier?: string | null;
            /** @example 299.99 */
            ourPrice?: components["schemas"]["ProductChangeOurPrice"] | null;
            /** @example 29999 */
            ourPriceCents?: string | number | null;
            /** @example 299.99 */
            costPrice?: components["schemas"]["ProductChangeCostPrice"] | null;
            /** @example 29999 */
            costPriceCents?: string | number | null;
            /** @example 299.99 */
            targetPrice?: components["schemas"]["ProductChangeTargetPrice"] | null;
            /** @example 29999 */
            targetPriceCents?: string | number | null;
            /** @example 4006381333931 */
            ean?: string | null;
            mpn?: string | null;
            /** Format: uri */
            url?: string | null;
            vatRatePct?: string | number | null;
            attributes?: {
                [key: string]: string;
            } | null;
            priceLocked?: boolean | null;
            /**
             * Format: date-time
             * @example 2026-12-01T00:00:00Z
             */
            heldUntil?: string | null;
            scrapeEnabled?: boolean | null;
            scrapeIntervalHours?: string | number | null;
            /** @example 299.99 */
            minPrice?: components["schemas"]["ProductChangeMinPrice"] | null;
            /** @example 29999 */
            minPriceCents?: string | number | null;
            /** @example 299.99 */
            maxPrice?: components["schemas"]["ProductChangeMaxPrice"] | null;
            /** @example 29999 */
            maxPriceCents?: string | number | null;
            /** @example 299.99 */
            shippingPrice?: components["schemas"]["ProductChangeShippingPrice"] | null;
            /** @example 29999 */
            shippingPriceCents?: string | number | null;
            condition?: string | null;
            /** @example 12 */
            stock?: string | number | null;
            /** @example Campaign with the manufacturer */
            reason?: string | null;
        };
        PriceHistoryEntry: {
            /** Format: date-time */
            at: string;
            fromCents: number | null;
            toCents: number | null;
            currency: string;
            /** @enum {string} */
            source: "api" | "import" | "rule" | "proposal" | "rollback";
            actor: {
                type: string;
                id: string;
                name: string;
            };
            ref: string | null;
            mark: components["schemas"]["PriceMark"] | null;
            vatRatePct: number | null;
        };
        PriceMark: {
            /** @enum {boolean} */
            isError: true;
            neverShown: boolean;
            reason: string | null;
            by: {
                type: string;
                id: string;
                name: string;
            };
            /** Format: date-time */
            markedAt: string;
        };
        /**
         * @example {
         *       "isError": true,
         *       "neverShown": true,
         *       "reason": "Comma forgotten, shop was offline"
         *     }
         */
        NewPriceMark: {
            isError: boolean;
            neverShown?: boolean;
            /** @example Campaign with the manufacturer */
            reason?: string | null;
        };
        LowestPrice: {
            /** Format: date-time */
            at: string;
            lowestCents: number | null;
            lowestGrossCents?: number | null;
            currency: string;
            /** Format: date-time */
            since: string | null;
            complete: boolean;
            tier: string | null;
            leftOut: {
                reason: string | null;
                by: {
                    type: string;
                    id: string;
                    name: string;
                };
                /** Format: date-time */
                markedAt: string;
                /** Format: date-time */
                at: string;
                toCents: number | null;
                currency: string;
            }[];
        };
        PriceEvidence: {
            productId: string;
            sku: string;
            title: string;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            at: string;
            pricesIncludeVat: boolean;
            lowest: components["schemas"]["LowestPrice"];
            rows: components["schemas"]["PriceEvidenceRow"][];
            sha256: string;
        };
        PriceEvidenceRow: {
            /** Format: date-time */
            at: string;
            fromCents: number | null;
            toCents: number | null;
            currency: string;
            /** @enum {string} */
            source: "api" | "import" | "rule" | "proposal" | "rollback";
            actor: {
                type: string;
                id: string;
                name: string;
            };
            ref: string | null;
            mark: components["schemas"]["PriceMark"] | null;
            vatRatePct: number | null;
            grossCents: number | null;
            isCounted: boolean;
            wasExported: boolean;
        };
        Sales: {
            days: components["schemas"]["SoldDay"][];
            units30d: number | null;
        };
        SoldDay: {
            /** Format: date */
            date: string;
            units: number;
            revenueCents: number | null;
            currency: string | null;
        };
        ExtractorAnswer: {
            /** @example #price .value */
            priceSelector: string | null;
            stockSelector: string | null;
            /** @example $.offer.price */
            jsonPath: string | null;
            /** @example EUR */
            currency: string | null;
            /** @example de-DE */
            locale: string | null;
        };
        Competitor: {
            id: string;
            /** @example mediamarkt.de */
            domain: string;
            displayName: string;
            country: string | null;
            enabled: boolean;
            pricesIncludeVat: boolean | null;
            extractor: components["schemas"]["ExtractorAnswer"] | null;
            groups: string[];
            isMarketplace: boolean;
            sellerNames: string[];
            colour: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            trackedProducts: number;
            health: components["schemas"]["CompetitorHealth"];
        };
        Extractor: {
            /** @example #price .value */
            priceSelector?: string | null;
            stockSelector?: string | null;
            /** @example $.offer.price */
            jsonPath?: string | null;
            /** @example EUR */
            currency?: string | null;
            /** @example de-DE */
            locale?: string | null;
        };
        CompetitorHealthLastError: {
            code: string;
            message: string | null;
            /** Format: date-time */
            at: string;
        };
        CompetitorHealth: {
            ok24h: number;
            failed24h: number;
            lastError: components["schemas"]["CompetitorHealthLastError"] | null;
            due: number;
            perDayMax: number;
        };
        /**
         * @example {
         *       "domain": "mediamarkt.de",
         *       "displayName": "MediaMarkt"
         *     }
         */
        NewCompetitor: {
            /** @example mediamarkt.de */
            domain: string;
            displayName?: string | null;
            /** @example DE */
            country?: string | null;
            enabled?: boolean | null;
            pricesIncludeVat?: boolean | null;
            extractor?: components["schemas"]["Extractor"] | null;
            groups?: readonly string[] | null;
            isMarketplace?: boolean | null;
            sellerNames?: readonly string[] | null;
        };
        CompetitorPatch: {
            /** @example mediamarkt.de */
            domain?: string;
            displayName?: string | null;
            /** @example DE */
            country?: string | null;
            enabled?: boolean | null;
            pricesIncludeVat?: boolean | null;
            extractor?: components["schemas"]["Extractor"] | null;
            groups?: readonly string[] | null;
            isMarketplace?: boolean | null;
            sellerNames?: readonly string[] | null;
        };
        CompetitorProductIdentityPage: {
            title: string | null;
            brand: string | null;
            gtin: string | null;
            gtins?: string[];
            mpn: string | null;
            sku: string | null;
            /** @enum {string|null} */
            condition: "new" | "refurbished" | "used" | "damaged" | null;
        };
        CompetitorProductIdentityConfirmedBy: {
            /** @enum {string} */
            type: "user" | "api_key" | "system";
            id: string;
            name: string;
            /** Format: date-time */
            at: string;
        };
        CompetitorProductIdentityRejectedBy: {
            /** @enum {string} */
            type: "user" | "api_key" | "system";
            id: string;
            name: string;
            /** Format: date-time */
            at: string;
        };
        CompetitorProductIdentity: {
            /** @enum {string|null} */
            verdict: "same" | "probably" | "different" | "unknown" | null;
            reasons: components["schemas"]["IdentityEvidence"][];
            page: components["schemas"]["CompetitorProductIdentityPage"] | null;
            /** Format: date-time */
            checkedAt: string | null;
            confirmedBy: components["schemas"]["CompetitorProductIdentityConfirmedBy"] | null;
            rejectedBy: components["schemas"]["CompetitorProductIdentityRejectedBy"] | null;
        };
        CompetitorProduct: {
            id: string;
            productId: string;
            competitorId: string;
            competitor: string;
            domain: string;
            url: string;
            enabled: boolean;
            /** @enum {string} */
            matchType: "exact" | "equivalent";
            packFactor: number;
            /** @enum {string} */
            source: "manual" | "import" | "push" | "discovery";
            noPrice: boolean;
            /** @enum {string} */
            visit: "now" | "scheduled" | "never";
            extractor: components["schemas"]["ExtractorAnswer"] | null;
            currentPrice: number | null;
            currency: string | null;
            inStock: boolean | null;
            /** @example used */
            condition: string | null;
            seller: string | null;
            shipping: number | null;
            /** Format: date-time */
            lastCheckedAt: string | null;
            lastStatus: string | null;
            lastError: string | null;
            warnings: "selector_dead"[];
            identity: components["schemas"]["CompetitorProductIdentity"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        IdentityEvidence: {
            /** @enum {string} */
            code: "gtin_same" | "gtin_other_pack" | "gtin_differs" | "mpn_same" | "mpn_differs" | "mpn_in_title" | "brand_same" | "brand_differs" | "title" | "title_foreign" | "title_differs" | "page_silent" | "variant_unknown" | "quantity" | "pack" | "size" | "gender" | "colour" | "edition" | "series" | "model" | "accessory" | "condition";
            /** @enum {string} */
            side: "for" | "against" | "doubt";
            ours: string | null;
            theirs: string | null;
        };
        NewCompetitorProduct: {
            productId: string;
            /**
             * Format: uri
             * @example https://www.mediamarkt.de/p/1.html
             */
            url: string;
            competitorId?: string;
            confirmed?: boolean;
            enabled?: boolean | null;
            matchType?: string | null;
            /** @example 6 */
            packFactor?: string | number | null;
            noPrice?: boolean | null;
            visit?: string | null;
            extractor?: components["schemas"]["Extractor"] | null;
        };
        LinkResultError: {
            code: string;
            message: string;
        };
        LinkResult: {
            index: number;
            ok: boolean;
            /** @enum {string|null} */
            status: "created" | "changed" | "existing" | null;
            competitorProductId: string | null;
            error: components["schemas"]["LinkResultError"] | null;
        };
        /**
         * @example {
         *       "links": [
         *         {
         *           "sku": "SKU-1",
         *           "url": "https://www.mediamarkt.de/p/1.html"
         *         }
         *       ]
         *     }
         */
        BulkLinks: {
            links: readonly ({
                sku: string;
                /** Format: uri */
                url: string;
                packFactor?: string | number | null;
            } & {
                [key: string]: unknown;
            })[];
            visit?: string;
        };
        NoPriceOutcome: {
            changed: string[];
            unchanged: number;
            missing: string[];
        };
        NoPriceRequest: {
            ids: readonly string[];
            noPrice: boolean;
        };
        CompetitorProductPatch: {
            productId?: string;
            competitorId?: string;
            /**
             * Format: uri
             * @example https://www.mediamarkt.de/p/1.html
             */
            url?: string;
            enabled?: boolean | null;
            matchType?: string | null;
            /** @example 6 */
            packFactor?: string | number | null;
            noPrice?: boolean | null;
            visit?: string | null;
            extractor?: components["schemas"]["Extractor"] | null;
        };
        Observation: {
            id: string;
            productId: string;
            sku: string;
            competitorProductId: string;
            competitorId: string;
            competitor: string;
            domain: string;
            url: string;
            price: number;
            currency: string;
            inStock: boolean | null;
            /** @enum {string} */
            availability: "in_stock" | "limited" | "out_of_stock" | "pre_order" | "back_order" | "discontinued" | "unknown";
            listPrice: number | null;
            shipping: number | null;
            method: string | null;
            confidence: number;
            /** @enum {string} */
            source: "scrape" | "push";
            runId: string | null;
            /** Format: date-time */
            observedAt: string;
        };
        ImportUndone: {
            entries: number;
            setBack: number;
            deleted: number;
            restored: number;
            prices: number;
            links: number;
            soldDays: number;
            kept: number;
        };
        ImportError: {
            code: string;
            message: string;
        };
        ImportArrival: {
            expected: number;
            arrived: number;
            missing: number;
        };
        ImportHold: {
            held: boolean;
            movePct: number;
            sharePct: number;
            products: number;
            moved: number;
            causes: {
                price: number;
                cost: number;
                currency: number;
            };
            samples: {
                sku: string;
                /** @enum {string} */
                cause: "price" | "cost" | "currency";
                fromCents: number;
                fromCurrency: string;
                toCents: number;
                toCurrency: string;
            }[];
            guards: {
                /** @enum {string} */
                code: "price_guard" | "cost_guard" | "change_guard" | "replace_guard" | "new_guard" | "currency_guard" | "unit_guard";
                binds: boolean;
                count: number;
                of: number;
                sharePct: number;
                samples: {
                    sku: string;
                    fromCents: number | null;
                    fromCurrency: string | null;
                    toCents: number | null;
                    toCurrency: string | null;
                }[];
                column: string | null;
                /** @enum {string|null} */
                remedy: "minor" | "decimals" | null;
            }[];
        };
        Import: {
            jobId: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            hasErrors: boolean;
            /** @enum {string} */
            phase: "check" | "plan" | "apply" | "undo";
            /** @enum {string} */
            mode: "upsert" | "insert" | "update" | "replace";
            dryRun: boolean;
            force: boolean;
            profile: string | null;
            tier: string | null;
            source: string;
            excluded: number;
            reason: string | null;
            appliedFrom: string | null;
            undoes: string | null;
            undone: components["schemas"]["ImportUndone"] | null;
            undoneBy: string | null;
            /** Format: date-time */
            undoableUntil: string | null;
            files: components["schemas"]["ImportFile"][];
            stats: {
                inserted: number;
                updated: number;
                skipped: number;
                errors: number;
                competitorsLinked: number;
            };
            count: number;
            removed: number;
            soldDays: number;
            reverted: number;
            errorCount: number;
            warningCount: number;
            error: components["schemas"]["ImportError"] | null;
            progress: {
                processed: number;
                total: number | null;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            createdBy: {
                type: string;
                id: string;
                name: string;
            };
            keepsUpload: boolean;
            arrival: components["schemas"]["ImportArrival"] | null;
            pausesSource: boolean | null;
            errors: components["schemas"]["ImportFinding"][];
            warnings: components["schemas"]["ImportFinding"][];
            hold: components["schemas"]["ImportHold"] | null;
            changes?: {
                sku: string;
                field: string;
                /** Format: date */
                date?: string;
                from: unknown;
                to: unknown;
                fromCurrency?: string;
                toCurrency?: string;
                written?: string;
                fromMarginPct?: number | null;
                toMarginPct?: number | null;
            }[];
            additions?: {
                sku: string;
                title: string;
                priceCents: number | null;
                currency: string;
            }[];
            removals?: {
                sku: string;
                productId: string;
            }[];
            impact?: {
                priceChanges: number;
                up: number;
                down: number;
                over20pct: number;
                belowCost: number;
                raisedCents: number;
                loweredCents: number;
                largest: {
                    sku: string;
                    fromCents: number;
                    toCents: number;
                    currency: string;
                    marginPct: number | null;
                }[];
            };
            titles: {
                [key: string]: string;
            };
        };
        ImportFile: {
            name: string;
            bytes: number;
            encoding: string;
            sha256: string;
            items: number;
            profile: string;
        };
        ImportFinding: {
            /** @enum {string} */
            severity: "error" | "warning";
            index: number | null;
            file: string | null;
            line: number | null;
            sku: string | null;
            field: string | null;
            /** @enum {string} */
            code: "missing_sku" | "missing_title" | "invalid_number" | "invalid_date" | "invalid_currency" | "invalid_url" | "invalid_ean" | "price_out_of_range" | "too_long" | "duplicate_sku" | "ambiguous_current_price" | "no_current_price" | "ambiguous_tier" | "future_valid_from" | "open_end_sentinel" | "dot_decimal" | "zero_price" | "zero_as_empty" | "encoding_guessed" | "unknown_encoding" | "link_kept_off" | "product_revived" | "price_reverted" | "upload_incomplete" | "crash_loop" | "malformed_xml" | "unexpected_root" | "no_items" | "forbidden_doctype" | "too_deep" | "too_large" | "bad_zip" | "replace_guard" | "price_guard" | "price_moved" | "empty_file" | "unknown_format" | "no_header" | "header_repeated" | "unclosed_quote" | "malformed_json" | "bad_gzip" | "bad_workbook" | "unknown_sheet" | "passed_over" | "ragged_row" | "damaged_number" | "leading_zeros_restored" | "excel_date" | "missing_sku_column" | "no_vat_rate" | "inactive" | "unknown_condition" | "missing_date" | "future_date" | "too_old" | "unknown_ean" | "ambiguous_ean" | "cost_guard" | "change_guard" | "new_guard" | "currency_guard" | "unit_guard" | "excluded" | "kept_field" | "kept_price" | "kept_bound" | "kept_product" | "kept_link" | "bounds_crossed" | "price_out_of_bounds" | "undated_sale" | "no_price_column" | "columns_ignored" | "prices_refused" | "duplicate_header" | "opendocument_file" | "binary_workbook" | "word_document" | "pdf_document" | "spreadsheetml_file" | "opentrans_document";
            message: string;
            value: string | null;
        };
        ImportFindingPage: {
            items: components["schemas"]["ImportFinding"][];
            nextCursor: string | null;
            count: number;
        };
        ImportApplication: {
            force?: boolean;
            allowNoPrices?: boolean;
            exclude?: readonly string[];
            /** @example Campaign with the manufacturer */
            reason?: string | null;
        };
        ImportPage: {
            items: components["schemas"]["ImportSummary"][];
            nextCursor: string | null;
            count: number;
        };
        ImportSummaryUndone: {
            entries: number;
            setBack: number;
            deleted: number;
            restored: number;
            prices: number;
            links: number;
            soldDays: number;
            kept: number;
        };
        ImportSummaryError: {
            code: string;
            message: string;
        };
        ImportSummary: {
            jobId: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            hasErrors: boolean;
            /** @enum {string} */
            phase: "check" | "plan" | "apply" | "undo";
            /** @enum {string} */
            mode: "upsert" | "insert" | "update" | "replace";
            dryRun: boolean;
            force: boolean;
            profile: string | null;
            tier: string | null;
            source: string;
            excluded: number;
            reason: string | null;
            appliedFrom: string | null;
            undoes: string | null;
            undone: components["schemas"]["ImportSummaryUndone"] | null;
            undoneBy: string | null;
            /** Format: date-time */
            undoableUntil: string | null;
            files: components["schemas"]["ImportFile"][];
            stats: {
                inserted: number;
                updated: number;
                skipped: number;
                errors: number;
                competitorsLinked: number;
            };
            count: number;
            removed: number;
            soldDays: number;
            reverted: number;
            errorCount: number;
            warningCount: number;
            error: components["schemas"]["ImportSummaryError"] | null;
            progress: {
                processed: number;
                total: number | null;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            createdBy: {
                type: string;
                id: string;
                name: string;
            };
        };
        ImportProfilePage: {
            items: components["schemas"]["ImportProfileDocument"][];
            nextCursor: string | null;
            count: number;
        };
        ImportProfileDocument: components["schemas"]["XmlProfileDocument"] | components["schemas"]["TableProfileDocument"];
        XmlProfileDocumentFieldsTitle: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsBrand: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsCategory: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsEan: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsMpn: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsUrl: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsVatRatePct: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsCurrency: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsCostPrice: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsTargetPrice: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsTier: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsMinPrice: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsMaxPrice: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsShippingPrice: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsCondition: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsStock: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsUnits: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentFieldsUnitsDate: {
            /** @example ARTNR|@id */
            path: string;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        XmlProfileDocumentPrices: {
            path: string;
            amount: string;
            tier: string | null;
            currency: string | null;
            minQty: string | null;
            validFrom: string | null;
            validUntil: string | null;
            quantity: string | null;
            /** @enum {string} */
            current: "open_end" | "today";
            /** @example B2C */
            defaultTier: string | null;
            firstTierCounts: boolean;
            alsoCostPrice: string[];
            alsoTargetPrice: string[];
        };
        XmlProfileDocumentSale: {
            amount: string;
            from: string | null;
            until: string | null;
            range: string | null;
        };
        XmlProfileDocumentCompetitors: {
            path: string;
            url: string;
            name: string | null;
            domain: string | null;
            enabled: string | null;
        };
        XmlProfileDocumentGroups: {
            path: string;
            id: string;
            name: string;
            memberPath: string;
            memberSku: string;
            memberGroup: string;
        };
        XmlProfileDocument: {
            /** @example erp-nachts */
            id: string;
            /** @example ERP nachts */
            name: string;
            /** @enum {string} */
            format?: "xml";
            detect: {
                /** @example KATALOG|CATALOG */
                root: string;
                namespace: string | null;
            };
            /**
             * @example KATALOG/ARTIKEL
             * @example //ITEM
             */
            itemPath: string;
            groupItems: boolean;
            fields: {
                sku: {
                    /** @example ARTNR|@id */
                    path: string;
                    /** @enum {string|null} */
                    transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
                };
                title: components["schemas"]["XmlProfileDocumentFieldsTitle"] | null;
                brand: components["schemas"]["XmlProfileDocumentFieldsBrand"] | null;
                category: components["schemas"]["XmlProfileDocumentFieldsCategory"] | null;
                ean: components["schemas"]["XmlProfileDocumentFieldsEan"] | null;
                mpn: components["schemas"]["XmlProfileDocumentFieldsMpn"] | null;
                url: components["schemas"]["XmlProfileDocumentFieldsUrl"] | null;
                vatRatePct: components["schemas"]["XmlProfileDocumentFieldsVatRatePct"] | null;
                currency: components["schemas"]["XmlProfileDocumentFieldsCurrency"] | null;
                costPrice: components["schemas"]["XmlProfileDocumentFieldsCostPrice"] | null;
                targetPrice: components["schemas"]["XmlProfileDocumentFieldsTargetPrice"] | null;
                tier: components["schemas"]["XmlProfileDocumentFieldsTier"] | null;
                minPrice: components["schemas"]["XmlProfileDocumentFieldsMinPrice"] | null;
                maxPrice: components["schemas"]["XmlProfileDocumentFieldsMaxPrice"] | null;
                shippingPrice: components["schemas"]["XmlProfileDocumentFieldsShippingPrice"] | null;
                condition: components["schemas"]["XmlProfileDocumentFieldsCondition"] | null;
                stock: components["schemas"]["XmlProfileDocumentFieldsStock"] | null;
                units: components["schemas"]["XmlProfileDocumentFieldsUnits"] | null;
                unitsDate: components["schemas"]["XmlProfileDocumentFieldsUnitsDate"] | null;
            };
            fileCurrency: string | null;
            mode: string | null;
            prices: components["schemas"]["XmlProfileDocumentPrices"] | null;
            sale: components["schemas"]["XmlProfileDocumentSale"] | null;
            currencyInAmount: boolean;
            competitors: components["schemas"]["XmlProfileDocumentCompetitors"] | null;
            groups: components["schemas"]["XmlProfileDocumentGroups"] | null;
            /** @enum {string} */
            numberFormat: "de" | "en" | "auto";
            zeroIsEmpty: boolean;
            dateFormats: ("D.M.Y" | "Y-M-D" | "YMD")[];
            /**
             * @example [
             *       "31.12.2099"
             *     ]
             */
            openEnd: string[];
            builtIn: boolean;
        };
        TableProfileDocumentFieldsSku: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsTitle: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsBrand: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsCategory: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsEan: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsMpn: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsUrl: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsVatRatePct: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsCurrency: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsCostPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsTargetPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsTier: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsMinPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsMaxPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsShippingPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsCondition: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsStock: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsUnits: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentFieldsUnitsDate: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentPricesItemTierColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentPricesItemTier: string | components["schemas"]["TableProfileDocumentPricesItemTierColumns"];
        TableProfileDocumentPricesItemCurrencyColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentPricesItemCurrency: string | components["schemas"]["TableProfileDocumentPricesItemCurrencyColumns"];
        TableProfileDocumentPricesItemMinQtyColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentPricesItemValidFrom: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentPricesItemValidUntil: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentPricesItemRange: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentPricesItemPer: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentCompetitorsItemNameColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        TableProfileDocumentCompetitorsItemName: string | components["schemas"]["TableProfileDocumentCompetitorsItemNameColumns"];
        TableProfileDocumentActive: {
            from: {
                /**
                 * @example [
                 *       "Artikelnummer",
                 *       "Art.-Nr."
                 *     ]
                 * @example [
                 *       "#3"
                 *     ]
                 */
                columns: string[];
                /** @example CHF */
                constant: string | null;
                /** @enum {string|null} */
                transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
            };
            /**
             * @example [
             *       "lieferbar"
             *     ]
             */
            yes: string[];
            not?: boolean;
            /** @enum {string} */
            else: "skip" | "delete";
        };
        TableProfileDocumentInherit: {
            by: {
                /**
                 * @example [
                 *       "Artikelnummer",
                 *       "Art.-Nr."
                 *     ]
                 * @example [
                 *       "#3"
                 *     ]
                 */
                columns: string[];
                /** @example CHF */
                constant: string | null;
                /** @enum {string|null} */
                transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
            };
            /**
             * @example [
             *       "title",
             *       "brand"
             *     ]
             */
            fields: string[];
        };
        TableProfileDocument: {
            /** @example erp-nachts */
            id: string;
            /** @example ERP nachts */
            name: string;
            /** @enum {string} */
            format: "table";
            detect: {
                /**
                 * @example [
                 *       "Artikelnummer",
                 *       "VK brutto"
                 *     ]
                 */
                columns: string[];
                /** @example artikel_export */
                fileName: string | null;
            };
            read: {
                /** @enum {string|null} */
                delimiter: ";" | "\t" | "," | "|" | null;
                /** @enum {string|null} */
                quote: "\"" | "'" | null;
                /** @example windows-1252 */
                encoding: string | null;
                headerRow: number | null;
                sheet: string | null;
                /** @example data.items */
                list: string | null;
                each: string | null;
            };
            fields: {
                sku: components["schemas"]["TableProfileDocumentFieldsSku"] | null;
                title: components["schemas"]["TableProfileDocumentFieldsTitle"] | null;
                brand: components["schemas"]["TableProfileDocumentFieldsBrand"] | null;
                category: components["schemas"]["TableProfileDocumentFieldsCategory"] | null;
                ean: components["schemas"]["TableProfileDocumentFieldsEan"] | null;
                mpn: components["schemas"]["TableProfileDocumentFieldsMpn"] | null;
                url: components["schemas"]["TableProfileDocumentFieldsUrl"] | null;
                vatRatePct: components["schemas"]["TableProfileDocumentFieldsVatRatePct"] | null;
                currency: components["schemas"]["TableProfileDocumentFieldsCurrency"] | null;
                costPrice: components["schemas"]["TableProfileDocumentFieldsCostPrice"] | null;
                targetPrice: components["schemas"]["TableProfileDocumentFieldsTargetPrice"] | null;
                tier: components["schemas"]["TableProfileDocumentFieldsTier"] | null;
                minPrice: components["schemas"]["TableProfileDocumentFieldsMinPrice"] | null;
                maxPrice: components["schemas"]["TableProfileDocumentFieldsMaxPrice"] | null;
                shippingPrice: components["schemas"]["TableProfileDocumentFieldsShippingPrice"] | null;
                condition: components["schemas"]["TableProfileDocumentFieldsCondition"] | null;
                stock: components["schemas"]["TableProfileDocumentFieldsStock"] | null;
                units: components["schemas"]["TableProfileDocumentFieldsUnits"] | null;
                unitsDate: components["schemas"]["TableProfileDocumentFieldsUnitsDate"] | null;
            };
            attributes: {
                /** @example supplier */
                name: string;
                from: {
                    /**
                     * @example [
                     *       "Artikelnummer",
                     *       "Art.-Nr."
                     *     ]
                     * @example [
                     *       "#3"
                     *     ]
                     */
                    columns: string[];
                    /** @example CHF */
                    constant: string | null;
                    /** @enum {string|null} */
                    transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
                };
            }[];
            prices: {
                from: {
                    /**
                     * @example [
                     *       "Artikelnummer",
                     *       "Art.-Nr."
                     *     ]
                     * @example [
                     *       "#3"
                     *     ]
                     */
                    columns: string[];
                    /** @example CHF */
                    constant: string | null;
                    /** @enum {string|null} */
                    transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
                };
                /** @enum {string} */
                role: "own" | "cost" | "target" | "tier" | "sale";
                /** @example B2B */
                tier: components["schemas"]["TableProfileDocumentPricesItemTier"] | null;
                /** @enum {string|null} */
                side: "net" | "gross" | null;
                /** @example EUR */
                currency: components["schemas"]["TableProfileDocumentPricesItemCurrency"] | null;
                /** @example 10 */
                minQty: number | components["schemas"]["TableProfileDocumentPricesItemMinQtyColumns"];
                validFrom: components["schemas"]["TableProfileDocumentPricesItemValidFrom"] | null;
                validUntil: components["schemas"]["TableProfileDocumentPricesItemValidUntil"] | null;
                range: components["schemas"]["TableProfileDocumentPricesItemRange"] | null;
                per: components["schemas"]["TableProfileDocumentPricesItemPer"] | null;
            }[];
            competitors: {
                url: {
                    /**
                     * @example [
                     *       "Artikelnummer",
                     *       "Art.-Nr."
                     *     ]
                     * @example [
                     *       "#3"
                     *     ]
                     */
                    columns: string[];
                    /** @example CHF */
                    constant: string | null;
                    /** @enum {string|null} */
                    transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
                };
                name: components["schemas"]["TableProfileDocumentCompetitorsItemName"] | null;
            }[];
            active: components["schemas"]["TableProfileDocumentActive"] | null;
            /** @enum {string} */
            matchBy: "sku" | "ean";
            groupRows: boolean;
            inherit: components["schemas"]["TableProfileDocumentInherit"] | null;
            /** @enum {string} */
            numberFormat: "de" | "en" | "auto";
            dateFormats: ("D.M.Y" | "Y-M-D" | "YMD")[];
            /**
             * @example [
             *       "31.12.2099"
             *     ]
             */
            openEnd: string[];
            zeroIsEmpty: boolean;
            /** @enum {string} */
            amounts: "major" | "minor";
            keepsTiers: boolean;
            builtIn: boolean;
        };
        NewImportProfileFieldsTitle: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsBrand: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsCategory: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsEan: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsMpn: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsUrl: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsVatRatePct: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsCurrency: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsCostPrice: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsTargetPrice: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsTier: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsMinPrice: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsMaxPrice: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsShippingPrice: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsCondition: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsStock: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsUnits: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfileFieldsUnitsDate: {
            /** @example ARTNR|@id */
            path: string;
            transform?: string | null;
        };
        NewImportProfilePrices: {
            path: string;
            amount: string;
            tier?: string | null;
            currency?: string | null;
            minQty?: string | null;
            validFrom?: string | null;
            validUntil?: string | null;
            quantity?: string | null;
            current?: string;
            /** @example B2C */
            defaultTier?: string | null;
            firstTierCounts?: boolean;
            alsoCostPrice?: readonly string[];
            alsoTargetPrice?: readonly string[];
        };
        NewImportProfileSale: {
            amount: string;
            from?: string | null;
            until?: string | null;
            range?: string | null;
        };
        NewImportProfileCompetitors: {
            path: string;
            url: string;
            name?: string | null;
            domain?: string | null;
            enabled?: string | null;
        };
        NewImportProfileGroups: {
            path: string;
            id: string;
            name: string;
            memberPath: string;
            memberSku: string;
            memberGroup: string;
        };
        NewImportProfile: {
            /** @example erp-nachts */
            id?: string;
            /** @example ERP nachts */
            name: string;
            format?: string;
            detect: {
                /** @example KATALOG|CATALOG */
                root: string;
                namespace?: string | null;
            };
            /**
             * @example KATALOG/ARTIKEL
             * @example //ITEM
             */
            itemPath: string;
            groupItems?: boolean;
            fields: {
                sku: {
                    /** @example ARTNR|@id */
                    path: string;
                    transform?: string | null;
                };
                title?: components["schemas"]["NewImportProfileFieldsTitle"] | null;
                brand?: components["schemas"]["NewImportProfileFieldsBrand"] | null;
                category?: components["schemas"]["NewImportProfileFieldsCategory"] | null;
                ean?: components["schemas"]["NewImportProfileFieldsEan"] | null;
                mpn?: components["schemas"]["NewImportProfileFieldsMpn"] | null;
                url?: components["schemas"]["NewImportProfileFieldsUrl"] | null;
                vatRatePct?: components["schemas"]["NewImportProfileFieldsVatRatePct"] | null;
                currency?: components["schemas"]["NewImportProfileFieldsCurrency"] | null;
                costPrice?: components["schemas"]["NewImportProfileFieldsCostPrice"] | null;
                targetPrice?: components["schemas"]["NewImportProfileFieldsTargetPrice"] | null;
                tier?: components["schemas"]["NewImportProfileFieldsTier"] | null;
                minPrice?: components["schemas"]["NewImportProfileFieldsMinPrice"] | null;
                maxPrice?: components["schemas"]["NewImportProfileFieldsMaxPrice"] | null;
                shippingPrice?: components["schemas"]["NewImportProfileFieldsShippingPrice"] | null;
                condition?: components["schemas"]["NewImportProfileFieldsCondition"] | null;
                stock?: components["schemas"]["NewImportProfileFieldsStock"] | null;
                units?: components["schemas"]["NewImportProfileFieldsUnits"] | null;
                unitsDate?: components["schemas"]["NewImportProfileFieldsUnitsDate"] | null;
            };
            fileCurrency?: string | null;
            mode?: string | null;
            prices?: components["schemas"]["NewImportProfilePrices"] | null;
            sale?: components["schemas"]["NewImportProfileSale"] | null;
            currencyInAmount?: boolean;
            competitors?: components["schemas"]["NewImportProfileCompetitors"] | null;
            groups?: components["schemas"]["NewImportProfileGroups"] | null;
            numberFormat?: string;
            zeroIsEmpty?: boolean;
            dateFormats?: readonly string[];
            /**
             * @example [
             *       "31.12.2099"
             *     ]
             */
            openEnd?: readonly string[];
        };
        NewTableProfileFieldsSku: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsTitle: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsBrand: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsCategory: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsEan: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsMpn: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsUrl: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsVatRatePct: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsCurrency: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsCostPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsTargetPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsTier: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsMinPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsMaxPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsShippingPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsCondition: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsStock: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsUnits: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileFieldsUnitsDate: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfilePricesItemTierColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfilePricesItemTier: string | components["schemas"]["NewTableProfilePricesItemTierColumns"];
        NewTableProfilePricesItemCurrencyColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfilePricesItemCurrency: string | components["schemas"]["NewTableProfilePricesItemCurrencyColumns"];
        NewTableProfilePricesItemMinQtyColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfilePricesItemValidFrom: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfilePricesItemValidUntil: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfilePricesItemRange: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfilePricesItemPer: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileCompetitorsItemNameColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns?: readonly string[];
            /** @example CHF */
            constant?: string | null;
            transform?: string | null;
        };
        NewTableProfileCompetitorsItemName: string | components["schemas"]["NewTableProfileCompetitorsItemNameColumns"];
        NewTableProfileActive: {
            from: {
                /**
                 * @example [
                 *       "Artikelnummer",
                 *       "Art.-Nr."
                 *     ]
                 * @example [
                 *       "#3"
                 *     ]
                 */
                columns?: readonly string[];
                /** @example CHF */
                constant?: string | null;
                transform?: string | null;
            };
            /**
             * @example [
             *       "lieferbar"
             *     ]
             */
            yes?: readonly string[];
            not?: boolean;
            else?: string;
        };
        NewTableProfileInherit: {
            by: {
                /**
                 * @example [
                 *       "Artikelnummer",
                 *       "Art.-Nr."
                 *     ]
                 * @example [
                 *       "#3"
                 *     ]
                 */
                columns?: readonly string[];
                /** @example CHF */
                constant?: string | null;
                transform?: string | null;
            };
            /**
             * @example [
             *       "title",
             *       "brand"
             *     ]
             */
            fields: readonly string[];
        };
        NewTableProfile: {
            /** @example erp-nachts */
            id?: string;
            /** @example ERP nachts */
            name: string;
            format: string;
            detect: {
                /**
                 * @example [
                 *       "Artikelnummer",
                 *       "VK brutto"
                 *     ]
                 */
                columns?: readonly string[];
                /** @example artikel_export */
                fileName?: string | null;
            };
            read?: {
                delimiter?: string | null;
                quote?: string | null;
                /** @example windows-1252 */
                encoding?: string | null;
                headerRow?: string | number | null;
                sheet?: string | null;
                /** @example data.items */
                list?: string | null;
                each?: string | null;
            };
            fields: {
                sku?: components["schemas"]["NewTableProfileFieldsSku"] | null;
                title?: components["schemas"]["NewTableProfileFieldsTitle"] | null;
                brand?: components["schemas"]["NewTableProfileFieldsBrand"] | null;
                category?: components["schemas"]["NewTableProfileFieldsCategory"] | null;
                ean?: components["schemas"]["NewTableProfileFieldsEan"] | null;
                mpn?: components["schemas"]["NewTableProfileFieldsMpn"] | null;
                url?: components["schemas"]["NewTableProfileFieldsUrl"] | null;
                vatRatePct?: components["schemas"]["NewTableProfileFieldsVatRatePct"] | null;
                currency?: components["schemas"]["NewTableProfileFieldsCurrency"] | null;
                costPrice?: components["schemas"]["NewTableProfileFieldsCostPrice"] | null;
                targetPrice?: components["schemas"]["NewTableProfileFieldsTargetPrice"] | null;
                tier?: components["schemas"]["NewTableProfileFieldsTier"] | null;
                minPrice?: components["schemas"]["NewTableProfileFieldsMinPrice"] | null;
                maxPrice?: components["schemas"]["NewTableProfileFieldsMaxPrice"] | null;
                shippingPrice?: components["schemas"]["NewTableProfileFieldsShippingPrice"] | null;
                condition?: components["schemas"]["NewTableProfileFieldsCondition"] | null;
                stock?: components["schemas"]["NewTableProfileFieldsStock"] | null;
                units?: components["schemas"]["NewTableProfileFieldsUnits"] | null;
                unitsDate?: components["schemas"]["NewTableProfileFieldsUnitsDate"] | null;
            };
            attributes?: readonly {
                /** @example supplier */
                name: string;
                from: {
                    /**
                     * @example [
                     *       "Artikelnummer",
                     *       "Art.-Nr."
                     *     ]
                     * @example [
                     *       "#3"
                     *     ]
                     */
                    columns?: readonly string[];
                    /** @example CHF */
                    constant?: string | null;
                    transform?: string | null;
                };
            }[];
            prices?: readonly {
                from: {
                    /**
                     * @example [
                     *       "Artikelnummer",
                     *       "Art.-Nr."
                     *     ]
                     * @example [
                     *       "#3"
                     *     ]
                     */
                    columns?: readonly string[];
                    /** @example CHF */
                    constant?: string | null;
                    transform?: string | null;
                };
                role: string;
                /** @example B2B */
                tier?: components["schemas"]["NewTableProfilePricesItemTier"] | null;
                side?: string | null;
                /** @example EUR */
                currency?: components["schemas"]["NewTableProfilePricesItemCurrency"] | null;
                /** @example 10 */
                minQty?: (string | number | null) | components["schemas"]["NewTableProfilePricesItemMinQtyColumns"];
                validFrom?: components["schemas"]["NewTableProfilePricesItemValidFrom"] | null;
                validUntil?: components["schemas"]["NewTableProfilePricesItemValidUntil"] | null;
                range?: components["schemas"]["NewTableProfilePricesItemRange"] | null;
                per?: components["schemas"]["NewTableProfilePricesItemPer"] | null;
            }[];
            competitors?: readonly {
                url: {
                    /**
                     * @example [
                     *       "Artikelnummer",
                     *       "Art.-Nr."
                     *     ]
                     * @example [
                     *       "#3"
                     *     ]
                     */
                    columns?: readonly string[];
                    /** @example CHF */
                    constant?: string | null;
                    transform?: string | null;
                };
                name?: components["schemas"]["NewTableProfileCompetitorsItemName"] | null;
            }[];
            active?: components["schemas"]["NewTableProfileActive"] | null;
            matchBy?: string;
            groupRows?: boolean;
            inherit?: components["schemas"]["NewTableProfileInherit"] | null;
            numberFormat?: string;
            dateFormats?: readonly string[];
            /**
             * @example [
             *       "31.12.2099"
             *     ]
             */
            openEnd?: readonly string[];
            zeroIsEmpty?: boolean;
            amounts?: string;
            keepsTiers?: boolean;
        };
        ImportPreviewLook: {
            /** @enum {string} */
            kind: "xml" | "delimited" | "xlsx" | "json" | "ndjson";
            encoding: string | null;
            delimiter: string | null;
            root: string | null;
            headerRow: number | null;
            sheet: string | null;
            sheets: string[];
            list: string | null;
            rows: number | null;
            firstRows: {
                line: number;
                cells: (string | null)[];
            }[];
        };
        ImportPreviewReadingFieldsSku: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsTitle: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsBrand: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsCategory: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsEan: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsMpn: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsUrl: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsVatRatePct: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsCurrency: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsCostPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsTargetPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsTier: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsMinPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsMaxPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsShippingPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsCondition: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsStock: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsUnits: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingFieldsUnitsDate: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingPricesItemTierColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingPricesItemTier: string | components["schemas"]["ImportPreviewReadingPricesItemTierColumns"];
        ImportPreviewReadingPricesItemCurrencyColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingPricesItemCurrency: string | components["schemas"]["ImportPreviewReadingPricesItemCurrencyColumns"];
        ImportPreviewReadingPricesItemMinQtyColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingPricesItemValidFrom: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingPricesItemValidUntil: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingPricesItemRange: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingPricesItemPer: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingCompetitorsItemNameColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewReadingCompetitorsItemName: string | components["schemas"]["ImportPreviewReadingCompetitorsItemNameColumns"];
        ImportPreviewReadingActive: {
            from: {
                /**
                 * @example [
                 *       "Artikelnummer",
                 *       "Art.-Nr."
                 *     ]
                 * @example [
                 *       "#3"
                 *     ]
                 */
                columns: string[];
                /** @example CHF */
                constant: string | null;
                /** @enum {string|null} */
                transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
            };
            /**
             * @example [
             *       "lieferbar"
             *     ]
             */
            yes: string[];
            not?: boolean;
            /** @enum {string} */
            else: "skip" | "delete";
        };
        ImportPreviewReadingInherit: {
            by: {
                /**
                 * @example [
                 *       "Artikelnummer",
                 *       "Art.-Nr."
                 *     ]
                 * @example [
                 *       "#3"
                 *     ]
                 */
                columns: string[];
                /** @example CHF */
                constant: string | null;
                /** @enum {string|null} */
                transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
            };
            /**
             * @example [
             *       "title",
             *       "brand"
             *     ]
             */
            fields: string[];
        };
        ImportPreviewReading: {
            /** @example erp-nachts */
            id: string;
            /** @example ERP nachts */
            name: string;
            /** @enum {string} */
            format: "table";
            detect: {
                /**
                 * @example [
                 *       "Artikelnummer",
                 *       "VK brutto"
                 *     ]
                 */
                columns: string[];
                /** @example artikel_export */
                fileName: string | null;
            };
            read: {
                /** @enum {string|null} */
                delimiter: ";" | "\t" | "," | "|" | null;
                /** @enum {string|null} */
                quote: "\"" | "'" | null;
                /** @example windows-1252 */
                encoding: string | null;
                headerRow: number | null;
                sheet: string | null;
                /** @example data.items */
                list: string | null;
                each: string | null;
            };
            fields: {
                sku: components["schemas"]["ImportPreviewReadingFieldsSku"] | null;
                title: components["schemas"]["ImportPreviewReadingFieldsTitle"] | null;
                brand: components["schemas"]["ImportPreviewReadingFieldsBrand"] | null;
                category: components["schemas"]["ImportPreviewReadingFieldsCategory"] | null;
                ean: components["schemas"]["ImportPreviewReadingFieldsEan"] | null;
                mpn: components["schemas"]["ImportPreviewReadingFieldsMpn"] | null;
                url: components["schemas"]["ImportPreviewReadingFieldsUrl"] | null;
                vatRatePct: components["schemas"]["ImportPreviewReadingFieldsVatRatePct"] | null;
                currency: components["schemas"]["ImportPreviewReadingFieldsCurrency"] | null;
                costPrice: components["schemas"]["ImportPreviewReadingFieldsCostPrice"] | null;
                targetPrice: components["schemas"]["ImportPreviewReadingFieldsTargetPrice"] | null;
                tier: components["schemas"]["ImportPreviewReadingFieldsTier"] | null;
                minPrice: components["schemas"]["ImportPreviewReadingFieldsMinPrice"] | null;
                maxPrice: components["schemas"]["ImportPreviewReadingFieldsMaxPrice"] | null;
                shippingPrice: components["schemas"]["ImportPreviewReadingFieldsShippingPrice"] | null;
                condition: components["schemas"]["ImportPreviewReadingFieldsCondition"] | null;
                stock: components["schemas"]["ImportPreviewReadingFieldsStock"] | null;
                units: components["schemas"]["ImportPreviewReadingFieldsUnits"] | null;
                unitsDate: components["schemas"]["ImportPreviewReadingFieldsUnitsDate"] | null;
            };
            attributes: {
                /** @example supplier */
                name: string;
                from: {
                    /**
                     * @example [
                     *       "Artikelnummer",
                     *       "Art.-Nr."
                     *     ]
                     * @example [
                     *       "#3"
                     *     ]
                     */
                    columns: string[];
                    /** @example CHF */
                    constant: string | null;
                    /** @enum {string|null} */
                    transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
                };
            }[];
            prices: {
                from: {
                    /**
                     * @example [
                     *       "Artikelnummer",
                     *       "Art.-Nr."
                     *     ]
                     * @example [
                     *       "#3"
                     *     ]
                     */
                    columns: string[];
                    /** @example CHF */
                    constant: string | null;
                    /** @enum {string|null} */
                    transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
                };
                /** @enum {string} */
                role: "own" | "cost" | "target" | "tier" | "sale";
                /** @example B2B */
                tier: components["schemas"]["ImportPreviewReadingPricesItemTier"] | null;
                /** @enum {string|null} */
                side: "net" | "gross" | null;
                /** @example EUR */
                currency: components["schemas"]["ImportPreviewReadingPricesItemCurrency"] | null;
                /** @example 10 */
                minQty: number | components["schemas"]["ImportPreviewReadingPricesItemMinQtyColumns"];
                validFrom: components["schemas"]["ImportPreviewReadingPricesItemValidFrom"] | null;
                validUntil: components["schemas"]["ImportPreviewReadingPricesItemValidUntil"] | null;
                range: components["schemas"]["ImportPreviewReadingPricesItemRange"] | null;
                per: components["schemas"]["ImportPreviewReadingPricesItemPer"] | null;
            }[];
            competitors: {
                url: {
                    /**
                     * @example [
                     *       "Artikelnummer",
                     *       "Art.-Nr."
                     *     ]
                     * @example [
                     *       "#3"
                     *     ]
                     */
                    columns: string[];
                    /** @example CHF */
                    constant: string | null;
                    /** @enum {string|null} */
                    transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
                };
                name: components["schemas"]["ImportPreviewReadingCompetitorsItemName"] | null;
            }[];
            active: components["schemas"]["ImportPreviewReadingActive"] | null;
            /** @enum {string} */
            matchBy: "sku" | "ean";
            groupRows: boolean;
            inherit: components["schemas"]["ImportPreviewReadingInherit"] | null;
            /** @enum {string} */
            numberFormat: "de" | "en" | "auto";
            dateFormats: ("D.M.Y" | "Y-M-D" | "YMD")[];
            /**
             * @example [
             *       "31.12.2099"
             *     ]
             */
            openEnd: string[];
            zeroIsEmpty: boolean;
            /** @enum {string} */
            amounts: "major" | "minor";
            keepsTiers: boolean;
        };
        ImportPreviewSuggestionFieldsSku: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsTitle: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsBrand: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsCategory: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsEan: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsMpn: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsUrl: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsVatRatePct: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsCurrency: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsCostPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsTargetPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsTier: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsMinPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsMaxPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsShippingPrice: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsCondition: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsStock: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsUnits: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionFieldsUnitsDate: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionPricesItemTierColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionPricesItemTier: string | components["schemas"]["ImportPreviewSuggestionPricesItemTierColumns"];
        ImportPreviewSuggestionPricesItemCurrencyColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionPricesItemCurrency: string | components["schemas"]["ImportPreviewSuggestionPricesItemCurrencyColumns"];
        ImportPreviewSuggestionPricesItemMinQtyColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionPricesItemValidFrom: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionPricesItemValidUntil: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionPricesItemRange: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionPricesItemPer: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionCompetitorsItemNameColumns: {
            /**
             * @example [
             *       "Artikelnummer",
             *       "Art.-Nr."
             *     ]
             * @example [
             *       "#3"
             *     ]
             */
            columns: string[];
            /** @example CHF */
            constant: string | null;
            /** @enum {string|null} */
            transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
        };
        ImportPreviewSuggestionCompetitorsItemName: string | components["schemas"]["ImportPreviewSuggestionCompetitorsItemNameColumns"];
        ImportPreviewSuggestionActive: {
            from: {
                /**
                 * @example [
                 *       "Artikelnummer",
                 *       "Art.-Nr."
                 *     ]
                 * @example [
                 *       "#3"
                 *     ]
                 */
                columns: string[];
                /** @example CHF */
                constant: string | null;
                /** @enum {string|null} */
                transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
            };
            /**
             * @example [
             *       "lieferbar"
             *     ]
             */
            yes: string[];
            not?: boolean;
            /** @enum {string} */
            else: "skip" | "delete";
        };
        ImportPreviewSuggestionInherit: {
            by: {
                /**
                 * @example [
                 *       "Artikelnummer",
                 *       "Art.-Nr."
                 *     ]
                 * @example [
                 *       "#3"
                 *     ]
                 */
                columns: string[];
                /** @example CHF */
                constant: string | null;
                /** @enum {string|null} */
                transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
            };
            /**
             * @example [
             *       "title",
             *       "brand"
             *     ]
             */
            fields: string[];
        };
        ImportPreviewSuggestion: {
            /** @example erp-nachts */
            id: string;
            /** @example ERP nachts */
            name: string;
            /** @enum {string} */
            format: "table";
            detect: {
                /**
                 * @example [
                 *       "Artikelnummer",
                 *       "VK brutto"
                 *     ]
                 */
                columns: string[];
                /** @example artikel_export */
                fileName: string | null;
            };
            read: {
                /** @enum {string|null} */
                delimiter: ";" | "\t" | "," | "|" | null;
                /** @enum {string|null} */
                quote: "\"" | "'" | null;
                /** @example windows-1252 */
                encoding: string | null;
                headerRow: number | null;
                sheet: string | null;
                /** @example data.items */
                list: string | null;
                each: string | null;
            };
            fields: {
                sku: components["schemas"]["ImportPreviewSuggestionFieldsSku"] | null;
                title: components["schemas"]["ImportPreviewSuggestionFieldsTitle"] | null;
                brand: components["schemas"]["ImportPreviewSuggestionFieldsBrand"] | null;
                category: components["schemas"]["ImportPreviewSuggestionFieldsCategory"] | null;
                ean: components["schemas"]["ImportPreviewSuggestionFieldsEan"] | null;
                mpn: components["schemas"]["ImportPreviewSuggestionFieldsMpn"] | null;
                url: components["schemas"]["ImportPreviewSuggestionFieldsUrl"] | null;
                vatRatePct: components["schemas"]["ImportPreviewSuggestionFieldsVatRatePct"] | null;
                currency: components["schemas"]["ImportPreviewSuggestionFieldsCurrency"] | null;
                costPrice: components["schemas"]["ImportPreviewSuggestionFieldsCostPrice"] | null;
                targetPrice: components["schemas"]["ImportPreviewSuggestionFieldsTargetPrice"] | null;
                tier: components["schemas"]["ImportPreviewSuggestionFieldsTier"] | null;
                minPrice: components["schemas"]["ImportPreviewSuggestionFieldsMinPrice"] | null;
                maxPrice: components["schemas"]["ImportPreviewSuggestionFieldsMaxPrice"] | null;
                shippingPrice: components["schemas"]["ImportPreviewSuggestionFieldsShippingPrice"] | null;
                condition: components["schemas"]["ImportPreviewSuggestionFieldsCondition"] | null;
                stock: components["schemas"]["ImportPreviewSuggestionFieldsStock"] | null;
                units: components["schemas"]["ImportPreviewSuggestionFieldsUnits"] | null;
                unitsDate: components["schemas"]["ImportPreviewSuggestionFieldsUnitsDate"] | null;
            };
            attributes: {
                /** @example supplier */
                name: string;
                from: {
                    /**
                     * @example [
                     *       "Artikelnummer",
                     *       "Art.-Nr."
                     *     ]
                     * @example [
                     *       "#3"
                     *     ]
                     */
                    columns: string[];
                    /** @example CHF */
                    constant: string | null;
                    /** @enum {string|null} */
                    transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
                };
            }[];
            prices: {
                from: {
                    /**
                     * @example [
                     *       "Artikelnummer",
                     *       "Art.-Nr."
                     *     ]
                     * @example [
                     *       "#3"
                     *     ]
                     */
                    columns: string[];
                    /** @example CHF */
                    constant: string | null;
                    /** @enum {string|null} */
                    transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
                };
                /** @enum {string} */
                role: "own" | "cost" | "target" | "tier" | "sale";
                /** @example B2B */
                tier: components["schemas"]["ImportPreviewSuggestionPricesItemTier"] | null;
                /** @enum {string|null} */
                side: "net" | "gross" | null;
                /** @example EUR */
                currency: components["schemas"]["ImportPreviewSuggestionPricesItemCurrency"] | null;
                /** @example 10 */
                minQty: number | components["schemas"]["ImportPreviewSuggestionPricesItemMinQtyColumns"];
                validFrom: components["schemas"]["ImportPreviewSuggestionPricesItemValidFrom"] | null;
                validUntil: components["schemas"]["ImportPreviewSuggestionPricesItemValidUntil"] | null;
                range: components["schemas"]["ImportPreviewSuggestionPricesItemRange"] | null;
                per: components["schemas"]["ImportPreviewSuggestionPricesItemPer"] | null;
            }[];
            competitors: {
                url: {
                    /**
                     * @example [
                     *       "Artikelnummer",
                     *       "Art.-Nr."
                     *     ]
                     * @example [
                     *       "#3"
                     *     ]
                     */
                    columns: string[];
                    /** @example CHF */
                    constant: string | null;
                    /** @enum {string|null} */
                    transform: "upper" | "lower" | "digits" | "strip_leading_zeros" | null;
                };
                name: components["schemas"]["ImportPreviewSuggestionCompetitorsItemName"] | null;
            }[];
            active: components["schemas"]["ImportPreviewSuggestionActive"] | null;
            /** @enum {string} */
            matchBy: "sku" | "ean";
            groupRows: boolean;
            inherit: components["schemas"]["ImportPreviewSuggestionInherit"] | null;
            /** @enum {string} */
            numberFormat: "de" | "en" | "auto";
            dateFormats: ("D.M.Y" | "Y-M-D" | "YMD")[];
            /**
             * @example [
             *       "31.12.2099"
             *     ]
             */
            openEnd: string[];
            zeroIsEmpty: boolean;
            /** @enum {string} */
            amounts: "major" | "minor";
            keepsTiers: boolean;
        };
        ImportPreviewError: {
            /** @enum {string} */
            severity: "error" | "warning";
            index: number | null;
            file: string | null;
            line: number | null;
            sku: string | null;
            field: string | null;
            /** @enum {string} */
            code: "missing_sku" | "missing_title" | "invalid_number" | "invalid_date" | "invalid_currency" | "invalid_url" | "invalid_ean" | "price_out_of_range" | "too_long" | "duplicate_sku" | "ambiguous_current_price" | "no_current_price" | "ambiguous_tier" | "future_valid_from" | "open_end_sentinel" | "dot_decimal" | "zero_price" | "zero_as_empty" | "encoding_guessed" | "unknown_encoding" | "link_kept_off" | "product_revived" | "price_reverted" | "upload_incomplete" | "crash_loop" | "malformed_xml" | "unexpected_root" | "no_items" | "forbidden_doctype" | "too_deep" | "too_large" | "bad_zip" | "replace_guard" | "price_guard" | "price_moved" | "empty_file" | "unknown_format" | "no_header" | "header_repeated" | "unclosed_quote" | "malformed_json" | "bad_gzip" | "bad_workbook" | "unknown_sheet" | "passed_over" | "ragged_row" | "damaged_number" | "leading_zeros_restored" | "excel_date" | "missing_sku_column" | "no_vat_rate" | "inactive" | "unknown_condition" | "missing_date" | "future_date" | "too_old" | "unknown_ean" | "ambiguous_ean" | "cost_guard" | "change_guard" | "new_guard" | "currency_guard" | "unit_guard" | "excluded" | "kept_field" | "kept_price" | "kept_bound" | "kept_product" | "kept_link" | "bounds_crossed" | "price_out_of_bounds" | "undated_sale" | "no_price_column" | "columns_ignored" | "prices_refused" | "duplicate_header" | "opendocument_file" | "binary_workbook" | "word_document" | "pdf_document" | "spreadsheetml_file" | "opentrans_document";
            message: string;
            value: string | null;
        };
        ImportPreview: {
            look: components["schemas"]["ImportPreviewLook"] | null;
            confidence: number | null;
            columns: components["schemas"]["ImportTableColumn"][];
            reading: components["schemas"]["ImportPreviewReading"] | null;
            suggestion: components["schemas"]["ImportPreviewSuggestion"] | null;
            profile: string | null;
            records: {
                index: number;
                line: number;
                sku: string | null;
                fields: {
                    [key: string]: unknown;
                } | null;
                findings: components["schemas"]["ImportFinding"][];
            }[];
            warnings: components["schemas"]["ImportFinding"][];
            tallies: components["schemas"]["ImportFindingTally"][];
            error: components["schemas"]["ImportPreviewError"] | null;
        };
        ImportTableColumn: {
            column: string;
            samples: string[];
            field: string | null;
            /** @enum {string|null} */
            side: "net" | "gross" | null;
            currency: string | null;
            confidence: number;
        };
        ImportFindingTally: {
            /** @enum {string} */
            severity: "error" | "warning";
            /** @enum {string} */
            code: "missing_sku" | "missing_title" | "invalid_number" | "invalid_date" | "invalid_currency" | "invalid_url" | "invalid_ean" | "price_out_of_range" | "too_long" | "duplicate_sku" | "ambiguous_current_price" | "no_current_price" | "ambiguous_tier" | "future_valid_from" | "open_end_sentinel" | "dot_decimal" | "zero_price" | "zero_as_empty" | "encoding_guessed" | "unknown_encoding" | "link_kept_off" | "product_revived" | "price_reverted" | "upload_incomplete" | "crash_loop" | "malformed_xml" | "unexpected_root" | "no_items" | "forbidden_doctype" | "too_deep" | "too_large" | "bad_zip" | "replace_guard" | "price_guard" | "price_moved" | "empty_file" | "unknown_format" | "no_header" | "header_repeated" | "unclosed_quote" | "malformed_json" | "bad_gzip" | "bad_workbook" | "unknown_sheet" | "passed_over" | "ragged_row" | "damaged_number" | "leading_zeros_restored" | "excel_date" | "missing_sku_column" | "no_vat_rate" | "inactive" | "unknown_condition" | "missing_date" | "future_date" | "too_old" | "unknown_ean" | "ambiguous_ean" | "cost_guard" | "change_guard" | "new_guard" | "currency_guard" | "unit_guard" | "excluded" | "kept_field" | "kept_price" | "kept_bound" | "kept_product" | "kept_link" | "bounds_crossed" | "price_out_of_bounds" | "undated_sale" | "no_price_column" | "columns_ignored" | "prices_refused" | "duplicate_header" | "opendocument_file" | "binary_workbook" | "word_document" | "pdf_document" | "spreadsheetml_file" | "opentrans_document";
            field: string | null;
            count: number;
            line: number | null;
            value: string | null;
        };
        ImportSourcePage: {
            items: components["schemas"]["ImportSource"][];
            nextCursor: string | null;
            count: number;
        };
        ImportSourceOptionsAnswer: {
            strict: boolean;
        };
        ImportSourceHoldVariant2: {
            movePct: number;
            sharePct: number;
            costMovePct: number;
            changedPct: number;
            deletedPct: number;
            newPct: number;
            currencyPct: number;
        };
        ImportSourceExpectedVariant2: {
            /** @example 06:00 */
            by: string;
            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
        };
        ImportSourcePullAuth: {
            /** @enum {string} */
            kind: "basic" | "bearer" | "header";
        };
        ImportSourcePull: {
            /** @example https://erp.example/export/products.csv */
            url: string;
            schedule: components["schemas"]["ImportSourceSchedule"];
            auth: components["schemas"]["ImportSourcePullAuth"] | null;
        };
        ImportSourceLastImport: {
            jobId: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            errorCode: string | null;
            /** Format: date-time */
            finishedAt: string;
            /** Format: date-time */
            succeededAt: string | null;
        };
        ImportSourceLastPull: {
            /** @enum {string} */
            outcome: "running" | "imported" | "unchanged" | "waiting" | "failed";
            /** Format: date-time */
            at: string;
            jobId: string | null;
            errorCode: string | null;
            message: string | null;
            failures: number;
            /** Format: date-time */
            nextTryAt: string | null;
        };
        ImportSource: {
            /** @example jtl-nightly */
            id: string;
            isDefault: boolean;
            /** @example JTL, every night */
            name: string;
            /** @enum {string} */
            kind: "api" | "upload" | "pull";
            profile: string | null;
            /** @enum {string} */
            mode: "upsert" | "insert" | "update" | "replace";
            tier: string | null;
            options: components["schemas"]["ImportSourceOptionsAnswer"];
            hold: components["schemas"]["ImportSourceHoldVariant2"] | null;
            expected: components["schemas"]["ImportSourceExpectedVariant2"] | null;
            /** Format: date-time */
            pausedAt: string | null;
            pull: components["schemas"]["ImportSourcePull"] | null;
            lastImport: components["schemas"]["ImportSourceLastImport"] | null;
            lastPull: components["schemas"]["ImportSourceLastPull"] | null;
            /** Format: date-time */
            createdAt: string | null;
            /** Format: date-time */
            updatedAt: string | null;
        };
        ImportSourceOptions: {
            strict?: boolean;
        };
        ImportSourceScheduleEvery: {
            /** @enum {string} */
            every: "15m" | "1h" | "24h";
        };
        ImportSourceScheduleAt: {
            /** @example 04:30 */
            at: string;
            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
        };
        ImportSourceScheduleVariant2: components["schemas"]["ImportSourceScheduleEvery"] | components["schemas"]["ImportSourceScheduleAt"];
        ImportSourceSchedule: components["schemas"]["ImportSourceScheduleVariant2"] | null;
        NewImportSourceHold: {
            movePct?: string | number | null;
            sharePct?: string | number | null;
            costMovePct?: string | number | null;
            changedPct?: string | number | null;
            deletedPct?: string | number | null;
            newPct?: string | number | null;
            currencyPct?: string | number | null;
        };
        NewImportSourceExpected: {
            /** @example 06:00 */
            by: string;
            days?: readonly string[];
        };
        NewImportSource: {
            /** @example jtl-nightly */
            id?: string;
            /** @example JTL, every night */
            name: string;
            kind?: string;
            profile?: string | null;
            mode?: string;
            tier?: string | null;
            options?: components["schemas"]["ImportSourceOptions"];
            hold?: components["schemas"]["NewImportSourceHold"] | null;
            expected?: components["schemas"]["NewImportSourceExpected"] | null;
            /** Format: date-time */
            pausedAt?: string | null;
            pull?: components["schemas"]["ImportSourcePullInput"] | null;
        };
        ImportSourcePullInputScheduleEvery: {
            every: string;
        };
        ImportSourcePullInputScheduleAt: {
            /** @example 04:30 */
            at: string;
            days?: readonly string[];
        };
        ImportSourcePullInputSchedule: components["schemas"]["ImportSourcePullInputScheduleEvery"] | components["schemas"]["ImportSourcePullInputScheduleAt"];
        ImportSourcePullInputAuthBasic: {
            kind: string;
            user?: string;
            password?: string;
        };
        ImportSourcePullInputAuthBearer: {
            kind: string;
            token?: string;
        };
        ImportSourcePullInputAuthHeader: {
            kind: string;
            name?: string;
            value?: string;
        };
        ImportSourcePullInputAuth: components["schemas"]["ImportSourcePullInputAuthBasic"] | components["schemas"]["ImportSourcePullInputAuthBearer"] | components["schemas"]["ImportSourcePullInputAuthHeader"];
        ImportSourcePullInput: {
            /** @example https://erp.example/export/products.csv */
            url: string;
            schedule?: components["schemas"]["ImportSourcePullInputSchedule"] | null;
            auth?: components["schemas"]["ImportSourcePullInputAuth"] | null;
        };
        ImportSourcePatch: {
            name?: string;
            kind?: string | null;
            profile?: string | null;
            mode?: string | null;
            tier?: string | null;
            options?: components["schemas"]["ImportSourceOptions"] | null;
            hold?: components["schemas"]["ImportSourceHold"] | null;
            expected?: components["schemas"]["ImportSourceExpected"] | null;
            /** Format: date-time */
            pausedAt?: string | null;
            pull?: components["schemas"]["ImportSourcePullInput"] | null;
        };
        ImportSourceHold: {
            movePct?: string | number | null;
            sharePct?: string | number | null;
            costMovePct?: string | number | null;
            changedPct?: string | number | null;
            deletedPct?: string | number | null;
            newPct?: string | number | null;
            currencyPct?: string | number | null;
        };
        ImportSourceExpected: {
            /** @example 06:00 */
            by: string;
            days?: readonly string[];
        };
        ReferenceList: {
            data: components["schemas"]["ReferenceEntry"][];
            count: number;
        };
        ReferenceEntry: {
            value: string;
            label: string;
            description: string;
            fields: components["schemas"]["ReferenceField"][];
        };
        ReferenceField: {
            name: string;
            label: string;
            description: string;
            /** @enum {string} */
            type: "number" | "integer" | "boolean" | "string" | "array" | "object";
            required: boolean;
            nullable: boolean;
            default: unknown;
            minimum: number | null;
            maximum: number | null;
            values: {
                value: string;
                label: string;
                description: string;
            }[] | null;
        };
        AlsoWhenAnswerCompetitorUndercut: {
            /** @enum {string} */
            trigger: "competitor_undercut";
            competitorDeltaPct: number;
        };
        AlsoWhenAnswerCompetitorOvercut: {
            /** @enum {string} */
            trigger: "competitor_overcut";
            competitorDeltaPct: number;
        };
        AlsoWhenAnswerMarginBelow: {
            /** @enum {string} */
            trigger: "margin_below";
            marginPct: number;
        };
        AlsoWhenAnswerMarginAbove: {
            /** @enum {string} */
            trigger: "margin_above";
            marginPct: number;
        };
        AlsoWhenAnswerPositionChange: {
            /** @enum {string} */
            trigger: "position_change";
            /** @enum {string} */
            direction: "worse" | "better" | "any";
            minPositions: number;
        };
        AlsoWhenAnswerMarketIndex: {
            /** @enum {string} */
            trigger: "market_index";
            indexAbove: number | null;
            indexBelow: number | null;
            always: boolean;
        };
        AlsoWhenAnswerScrapeStale: {
            /** @enum {string} */
            trigger: "scrape_stale";
            staleHours: number | null;
        };
        AlsoWhenAnswer: components["schemas"]["AlsoWhenAnswerCompetitorUndercut"] | components["schemas"]["AlsoWhenAnswerCompetitorOvercut"] | components["schemas"]["AlsoWhenAnswerMarginBelow"] | components["schemas"]["AlsoWhenAnswerMarginAbove"] | components["schemas"]["AlsoWhenAnswerPositionChange"] | components["schemas"]["AlsoWhenAnswerMarketIndex"] | components["schemas"]["AlsoWhenAnswerScrapeStale"];
        WhenCompetitorUndercutAnswer: {
            /** @enum {string} */
            trigger: "competitor_undercut";
            competitorDeltaPct: number;
            /** @enum {string} */
            reference: "cheapest" | "second" | "average" | "highest";
            competitorIds: string[];
            excludeCompetitorIds: string[];
            groups: string[];
            excludeGroups: string[];
            /** @enum {string} */
            marketplaces: "with" | "without" | "only";
            inStockOnly: boolean;
            maxAgeHours: number | null;
            minCompetitors: number;
            exactOnly: boolean;
            sameCondition: boolean;
            withShipping: boolean;
            or: components["schemas"]["AlsoWhenAnswer"][];
        };
        WhenCompetitorOvercutAnswer: {
            /** @enum {string} */
            trigger: "competitor_overcut";
            competitorDeltaPct: number;
            /** @enum {string} */
            reference: "cheapest" | "second" | "average" | "highest";
            competitorIds: string[];
            excludeCompetitorIds: string[];
            groups: string[];
            excludeGroups: string[];
            /** @enum {string} */
            marketplaces: "with" | "without" | "only";
            inStockOnly: boolean;
            maxAgeHours: number | null;
            minCompetitors: number;
            exactOnly: boolean;
            sameCondition: boolean;
            withShipping: boolean;
            or: components["schemas"]["AlsoWhenAnswer"][];
        };
        WhenMarginBelowAnswer: {
            /** @enum {string} */
            trigger: "margin_below";
            marginPct: number;
            /** @enum {string} */
            reference: "cheapest" | "second" | "average" | "highest";
            competitorIds: string[];
            excludeCompetitorIds: string[];
            groups: string[];
            excludeGroups: string[];
            /** @enum {string} */
            marketplaces: "with" | "without" | "only";
            inStockOnly: boolean;
            maxAgeHours: number | null;
            minCompetitors: number;
            exactOnly: boolean;
            sameCondition: boolean;
            withShipping: boolean;
            or: components["schemas"]["AlsoWhenAnswer"][];
        };
        WhenMarginAboveAnswer: {
            /** @enum {string} */
            trigger: "margin_above";
            marginPct: number;
            /** @enum {string} */
            reference: "cheapest" | "second" | "average" | "highest";
            competitorIds: string[];
            excludeCompetitorIds: string[];
            groups: string[];
            excludeGroups: string[];
            /** @enum {string} */
            marketplaces: "with" | "without" | "only";
            inStockOnly: boolean;
            maxAgeHours: number | null;
            minCompetitors: number;
            exactOnly: boolean;
            sameCondition: boolean;
            withShipping: boolean;
            or: components["schemas"]["AlsoWhenAnswer"][];
        };
        WhenPositionChangeAnswer: {
            /** @enum {string} */
            trigger: "position_change";
            /** @enum {string} */
            direction: "worse" | "better" | "any";
            minPositions: number;
            /** @enum {string} */
            reference: "cheapest" | "second" | "average" | "highest";
            competitorIds: string[];
            excludeCompetitorIds: string[];
            groups: string[];
            excludeGroups: string[];
            /** @enum {string} */
            marketplaces: "with" | "without" | "only";
            inStockOnly: boolean;
            maxAgeHours: number | null;
            minCompetitors: number;
            exactOnly: boolean;
            sameCondition: boolean;
            withShipping: boolean;
            or: components["schemas"]["AlsoWhenAnswer"][];
        };
        WhenMarketIndexAnswer: {
            /** @enum {string} */
            trigger: "market_index";
            indexAbove: number | null;
            indexBelow: number | null;
            always: boolean;
            /** @enum {string} */
            reference: "cheapest" | "second" | "average" | "highest";
            competitorIds: string[];
            excludeCompetitorIds: string[];
            groups: string[];
            excludeGroups: string[];
            /** @enum {string} */
            marketplaces: "with" | "without" | "only";
            inStockOnly: boolean;
            maxAgeHours: number | null;
            minCompetitors: number;
            exactOnly: boolean;
            sameCondition: boolean;
            withShipping: boolean;
            or: components["schemas"]["AlsoWhenAnswer"][];
        };
        WhenScrapeStaleAnswer: {
            /** @enum {string} */
            trigger: "scrape_stale";
            staleHours: number | null;
            /** @enum {string} */
            reference: "cheapest" | "second" | "average" | "highest";
            competitorIds: string[];
            excludeCompetitorIds: string[];
            groups: string[];
            excludeGroups: string[];
            /** @enum {string} */
            marketplaces: "with" | "without" | "only";
            inStockOnly: boolean;
            maxAgeHours: number | null;
            minCompetitors: number;
            exactOnly: boolean;
            sameCondition: boolean;
            withShipping: boolean;
            or: components["schemas"]["AlsoWhenAnswer"][];
        };
        WhenAnswer: components["schemas"]["WhenCompetitorUndercutAnswer"] | components["schemas"]["WhenCompetitorOvercutAnswer"] | components["schemas"]["WhenMarginBelowAnswer"] | components["schemas"]["WhenMarginAboveAnswer"] | components["schemas"]["WhenPositionChangeAnswer"] | components["schemas"]["WhenMarketIndexAnswer"] | components["schemas"]["WhenScrapeStaleAnswer"];
        SingleRuleMarginFloor: {
            pct: number;
        };
        SingleRuleBounds: {
            markupPct: number | null;
            minCents: number | null;
            maxCents: number | null;
            belowTargetPct: number | null;
            aboveTargetPct: number | null;
            maxMovePct: number | null;
            maxMovePerDayPct: number | null;
            maxMovesPerDay: number | null;
            /** @enum {string} */
            noTarget: "stop" | "ignore";
        };
        SingleRuleBrake: {
            cuts: number;
            days: number;
            restDays: number;
        };
        SingleRuleSchedule: {
            /** @example 06:00 */
            at: string;
            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            only: boolean;
        };
        AlertInAppAnswer: {
            /** @enum {string} */
            type: "alert_inapp";
            /** @enum {string} */
            severity: "info" | "low" | "medium" | "high" | "critical";
        };
        AlertEmailAnswer: {
            /** @enum {string} */
            type: "alert_email";
            /** @enum {string} */
            severity: "info" | "low" | "medium" | "high" | "critical";
            to: string[];
        };
        ProposePriceAnswerPriceAdjust: {
            pct: number | null;
            cents: number | null;
        };
        EndingRangeAnswer: {
            belowCents: number | null;
            endings: string[];
        };
        ProposePriceAnswerPriceFallback: {
            /** @enum {string} */
            kind: "cost" | "target";
            pct: number;
        };
        ProposePriceAnswerPrice: {
            reference: {
                /** @enum {string} */
                kind: "cheapest" | "nth" | "highest" | "average" | "median" | "competitor" | "target" | "cost";
                nth: number | null;
                competitorId: string | null;
            };
            adjust: components["schemas"]["ProposePriceAnswerPriceAdjust"] | null;
            /** @enum {string} */
            direction: "both" | "lower" | "raise";
            rounding: {
                /** @enum {string} */
                to: "down" | "up" | "nearest";
                ranges: components["schemas"]["EndingRangeAnswer"][];
            };
            deadbandPct: number;
            fallback: components["schemas"]["ProposePriceAnswerPriceFallback"] | null;
        };
        ProposePriceAnswer: {
            /** @enum {string} */
            type: "propose_price";
            /** @enum {string|null} */
            formula: "match_cheapest" | "min_competitor_minus_1pct" | "target_margin_pct" | null;
            targetMarginPct: number | null;
            /** @enum {string} */
            rounding: "none" | "x.99" | "x.95" | "10ct";
            price: components["schemas"]["ProposePriceAnswerPrice"] | null;
        };
        AutoApplyIfSafeAnswerPriceAdjust: {
            pct: number | null;
            cents: number | null;
        };
        AutoApplyIfSafeAnswerPriceFallback: {
            /** @enum {string} */
            kind: "cost" | "target";
            pct: number;
        };
        AutoApplyIfSafeAnswerPrice: {
            reference: {
                /** @enum {string} */
                kind: "cheapest" | "nth" | "highest" | "average" | "median" | "competitor" | "target" | "cost";
                nth: number | null;
                competitorId: string | null;
            };
            adjust: components["schemas"]["AutoApplyIfSafeAnswerPriceAdjust"] | null;
            /** @enum {string} */
            direction: "both" | "lower" | "raise";
            rounding: {
                /** @enum {string} */
                to: "down" | "up" | "nearest";
                ranges: components["schemas"]["EndingRangeAnswer"][];
            };
            deadbandPct: number;
            fallback: components["schemas"]["AutoApplyIfSafeAnswerPriceFallback"] | null;
        };
        AutoApplyIfSafeAnswer: {
            /** @enum {string} */
            type: "auto_apply_if_safe";
            /** @enum {string|null} */
            formula: "match_cheapest" | "min_competitor_minus_1pct" | "target_margin_pct" | null;
            targetMarginPct: number | null;
            /** @enum {string} */
            rounding: "none" | "x.99" | "x.95" | "10ct";
            price: components["schemas"]["AutoApplyIfSafeAnswerPrice"] | null;
            maxChangePct: number;
        };
        ActionAnswer: components["schemas"]["AlertInAppAnswer"] | components["schemas"]["AlertEmailAnswer"] | components["schemas"]["ProposePriceAnswer"] | components["schemas"]["AutoApplyIfSafeAnswer"];
        SingleRule: {
            id: string;
            name: string;
            description: string | null;
            enabled: boolean;
            priority: number;
            cooldownMinutes: number;
            when: components["schemas"]["WhenAnswer"];
            scope: components["schemas"]["ScopeAnswer"];
            marginFloor: components["schemas"]["SingleRuleMarginFloor"] | null;
            bounds: components["schemas"]["SingleRuleBounds"] | null;
            brake: components["schemas"]["SingleRuleBrake"] | null;
            budgetPerDay: number | null;
            schedule: components["schemas"]["SingleRuleSchedule"] | null;
            currency: string | null;
            actions: components["schemas"]["ActionAnswer"][];
            version: number;
            createdBy: {
                type: string;
                id: string;
                name: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            deletedAt: string | null;
            stats: {
                fires30d: number;
                /** Format: date-time */
                lastFiredAt: string | null;
            };
            sentence: components["schemas"]["RuleSentence"];
            warnings: components["schemas"]["RuleWarning"][];
        };
        When: components["schemas"]["WhenCompetitorUndercut"] | components["schemas"]["WhenCompetitorOvercut"] | components["schemas"]["WhenMarginBelow"] | components["schemas"]["WhenMarginAbove"] | components["schemas"]["WhenPositionChange"] | components["schemas"]["WhenMarketIndex"] | components["schemas"]["WhenScrapeStale"];
        WhenCompetitorUndercut: {
            trigger: string;
            competitorDeltaPct?: string | number | null;
            reference?: string | null;
            competitorIds?: readonly string[] | null;
            excludeCompetitorIds?: readonly string[] | null;
            groups?: readonly string[] | null;
            excludeGroups?: readonly string[] | null;
            marketplaces?: string | null;
            inStockOnly?: boolean | null;
            maxAgeHours?: string | number | null;
            minCompetitors?: string | number | null;
            exactOnly?: boolean | null;
            sameCondition?: boolean | null;
            withShipping?: boolean | null;
            or?: readonly components["schemas"]["AlsoWhen"][] | null;
        };
        AlsoWhenCompetitorUndercut: {
            trigger: string;
            competitorDeltaPct?: string | number | null;
        };
        AlsoWhenCompetitorOvercut: {
            trigger: string;
            competitorDeltaPct?: string | number | null;
        };
        AlsoWhenMarginBelow: {
            trigger: string;
            marginPct: string | number | null;
        };
        AlsoWhenMarginAbove: {
            trigger: string;
            marginPct: string | number | null;
        };
        AlsoWhenPositionChange: {
            trigger: string;
            direction?: string | null;
            minPositions?: string | number | null;
        };
        AlsoWhenMarketIndex: {
            trigger: string;
            indexAbove?: string | number | null;
            indexBelow?: string | number | null;
            always?: boolean | null;
        };
        AlsoWhenScrapeStale: {
            trigger: string;
            staleHours?: string | number | null;
        };
        AlsoWhen: components["schemas"]["AlsoWhenCompetitorUndercut"] | components["schemas"]["AlsoWhenCompetitorOvercut"] | components["schemas"]["AlsoWhenMarginBelow"] | components["schemas"]["AlsoWhenMarginAbove"] | components["schemas"]["AlsoWhenPositionChange"] | components["schemas"]["AlsoWhenMarketIndex"] | components["schemas"]["AlsoWhenScrapeStale"];
        WhenCompetitorOvercut: {
            trigger: string;
            competitorDeltaPct?: string | number | null;
            reference?: string | null;
            competitorIds?: readonly string[] | null;
            excludeCompetitorIds?: readonly string[] | null;
            groups?: readonly string[] | null;
            excludeGroups?: readonly string[] | null;
            marketplaces?: string | null;
            inStockOnly?: boolean | null;
            maxAgeHours?: string | number | null;
            minCompetitors?: string | number | null;
            exactOnly?: boolean | null;
            sameCondition?: boolean | null;
            withShipping?: boolean | null;
            or?: readonly components["schemas"]["AlsoWhen"][] | null;
        };
        WhenMarginBelow: {
            trigger: string;
            marginPct: string | number | null;
            reference?: string | null;
            competitorIds?: readonly string[] | null;
            excludeCompetitorIds?: readonly string[] | null;
            groups?: readonly string[] | null;
            excludeGroups?: readonly string[] | null;
            marketplaces?: string | null;
            inStockOnly?: boolean | null;
            maxAgeHours?: string | number | null;
            minCompetitors?: string | number | null;
            exactOnly?: boolean | null;
            sameCondition?: boolean | null;
            withShipping?: boolean | null;
            or?: readonly components["schemas"]["AlsoWhen"][] | null;
        };
        WhenMarginAbove: {
            trigger: string;
            marginPct: string | number | null;
            reference?: string | null;
            competitorIds?: readonly string[] | null;
            excludeCompetitorIds?: readonly string[] | null;
            groups?: readonly string[] | null;
            excludeGroups?: readonly string[] | null;
            marketplaces?: string | null;
            inStockOnly?: boolean | null;
            maxAgeHours?: string | number | null;
            minCompetitors?: string | number | null;
            exactOnly?: boolean | null;
            sameCondition?: boolean | null;
            withShipping?: boolean | null;
            or?: readonly components["schemas"]["AlsoWhen"][] | null;
        };
        WhenPositionChange: {
            trigger: string;
            direction?: string | null;
            minPositions?: string | number | null;
            reference?: string | null;
            competitorIds?: readonly string[] | null;
            excludeCompetitorIds?: readonly string[] | null;
            groups?: readonly string[] | null;
            excludeGroups?: readonly string[] | null;
            marketplaces?: string | null;
            inStockOnly?: boolean | null;
            maxAgeHours?: string | number | null;
            minCompetitors?: string | number | null;
            exactOnly?: boolean | null;
            sameCondition?: boolean | null;
            withShipping?: boolean | null;
            or?: readonly components["schemas"]["AlsoWhen"][] | null;
        };
        WhenMarketIndex: {
            trigger: string;
            indexAbove?: string | number | null;
            indexBelow?: string | number | null;
            always?: boolean | null;
            reference?: string | null;
            competitorIds?: readonly string[] | null;
            excludeCompetitorIds?: readonly string[] | null;
            groups?: readonly string[] | null;
            excludeGroups?: readonly string[] | null;
            marketplaces?: string | null;
            inStockOnly?: boolean | null;
            maxAgeHours?: string | number | null;
            minCompetitors?: string | number | null;
            exactOnly?: boolean | null;
            sameCondition?: boolean | null;
            withShipping?: boolean | null;
            or?: readonly components["schemas"]["AlsoWhen"][] | null;
        };
        WhenScrapeStale: {
            trigger: string;
            staleHours?: string | number | null;
            reference?: string | null;
            competitorIds?: readonly string[] | null;
            excludeCompetitorIds?: readonly string[] | null;
            groups?: readonly string[] | null;
            excludeGroups?: readonly string[] | null;
            marketplaces?: string | null;
            inStockOnly?: boolean | null;
            maxAgeHours?: string | number | null;
            minCompetitors?: string | number | null;
            exactOnly?: boolean | null;
            sameCondition?: boolean | null;
            withShipping?: boolean | null;
            or?: readonly components["schemas"]["AlsoWhen"][] | null;
        };
        ScopeAnswer: components["schemas"]["ScopeAll"] | components["schemas"]["ScopeAttributeAnswer"] | components["schemas"]["ScopeSku"];
        ScopeAllSent: {
            mode: string;
        };
        ScopeAll: {
            /** @enum {string} */
            mode: "all";
        };
        ScopeAttributeAnswerMatchesBrandItemContains: {
            contains: string;
        };
        ScopeAttributeAnswerMatchesCategoryItemContains: {
            contains: string;
        };
        ScopeAttributeAnswerMatchesTierItemContains: {
            contains: string;
        };
        ScopeAttributeAnswerMatchesCurrencyItemContains: {
            contains: string;
        };
        ScopeAttributeAnswer: {
            /** @enum {string} */
            mode: "attribute";
            matches: {
                brand?: (string | components["schemas"]["ScopeAttributeAnswerMatchesBrandItemContains"])[];
                category?: (string | components["schemas"]["ScopeAttributeAnswerMatchesCategoryItemContains"])[];
                tier?: (string | components["schemas"]["ScopeAttributeAnswerMatchesTierItemContains"])[];
                currency?: (string | components["schemas"]["ScopeAttributeAnswerMatchesCurrencyItemContains"])[];
            };
        };
        ScopeSkuSent: {
            mode: string;
            list: readonly string[];
        };
        ScopeSku: {
            /** @enum {string} */
            mode: "sku";
            list: string[];
        };
        Action: components["schemas"]["AlertInApp"] | components["schemas"]["AlertEmail"] | components["schemas"]["ProposePrice"] | components["schemas"]["AutoApplyIfSafe"];
        AlertInApp: {
            severity?: string | null;
            type: string;
        };
        AlertEmail: {
            severity?: string | null;
            to?: readonly string[] | null;
            type: string;
        };
        ProposePricePriceReference: {
            kind?: string | null;
            nth?: string | number | null;
            competitorId?: string | null;
        };
        ProposePricePriceAdjust: {
            pct?: string | number | null;
            cents?: string | number | null;
        };
        ProposePricePriceRounding: {
            to?: string | null;
            ranges?: readonly components["schemas"]["EndingRange"][] | null;
        };
        ProposePricePriceFallback: {
            kind: string;
            pct?: string | number | null;
        };
        ProposePricePrice: {
            reference?: components["schemas"]["ProposePricePriceReference"] | null;
            adjust?: components["schemas"]["ProposePricePriceAdjust"] | null;
            direction?: string | null;
            rounding?: components["schemas"]["ProposePricePriceRounding"] | null;
            deadbandPct?: string | number | null;
            fallback?: components["schemas"]["ProposePricePriceFallback"] | null;
        };
        ProposePrice: {
            formula?: string | null;
            targetMarginPct?: string | number | null;
            rounding?: string | null;
            price?: components["schemas"]["ProposePricePrice"] | null;
            type: string;
        };
        EndingRange: {
            belowCents?: string | number | null;
            endings: readonly string[];
        };
        AutoApplyIfSafePriceReference: {
            kind?: string | null;
            nth?: string | number | null;
            competitorId?: string | null;
        };
        AutoApplyIfSafePriceAdjust: {
            pct?: string | number | null;
            cents?: string | number | null;
        };
        AutoApplyIfSafePriceRounding: {
            to?: string | null;
            ranges?: readonly components["schemas"]["EndingRange"][] | null;
        };
        AutoApplyIfSafePriceFallback: {
            kind: string;
            pct?: string | number | null;
        };
        AutoApplyIfSafePrice: {
            reference?: components["schemas"]["AutoApplyIfSafePriceReference"] | null;
            adjust?: components["schemas"]["AutoApplyIfSafePriceAdjust"] | null;
            direction?: string | null;
            rounding?: components["schemas"]["AutoApplyIfSafePriceRounding"] | null;
            deadbandPct?: string | number | null;
            fallback?: components["schemas"]["AutoApplyIfSafePriceFallback"] | null;
        };
        AutoApplyIfSafe: {
            formula?: string | null;
            targetMarginPct?: string | number | null;
            rounding?: string | null;
            price?: components["schemas"]["AutoApplyIfSafePrice"] | null;
            maxChangePct?: string | number | null;
            type: string;
        };
        RuleSentence: {
            de: string;
            en: string;
        };
        RuleWarning: {
            /** @example scope.list */
            path: string;
            value: string;
            message: string;
        };
        NewRuleMarginFloor: {
            pct: string | number | null;
        };
        NewRuleBounds: {
            markupPct?: string | number | null;
            minCents?: string | number | null;
            maxCents?: string | number | null;
            belowTargetPct?: string | number | null;
            aboveTargetPct?: string | number | null;
            maxMovePct?: string | number | null;
            maxMovePerDayPct?: string | number | null;
            maxMovesPerDay?: string | number | null;
            noTarget?: string | null;
        };
        NewRuleBrake: {
            cuts: string | number | null;
            days: string | number | null;
            restDays: string | number | null;
        };
        NewRuleSchedule: {
            /** @example 06:00 */
            at: string;
            days?: readonly string[] | null;
            only?: boolean | null;
        };
        /**
         * @example {
         *       "name": "Match cheaper competitors",
         *       "when": {
         *         "trigger": "competitor_undercut",
         *         "competitorDeltaPct": 1
         *       },
         *       "scope": {
         *         "mode": "attribute",
         *         "matches": {
         *           "brand": [
         *             "Sony"
         *           ]
         *         }
         *       },
         *       "marginFloor": {
         *         "pct": 15
         *       },
         *       "actions": [
         *         {
         *           "formula": "match_cheapest",
         *           "type": "propose_price"
         *         }
         *       ]
         *     }
         */
        NewRule: {
            name: string;
            description?: string | null;
            enabled?: boolean | null;
            priority?: string | number | null;
            cooldownMinutes?: string | number | null;
            when: components["schemas"]["When"];
            scope: components["schemas"]["Scope"];
            marginFloor?: components["schemas"]["NewRuleMarginFloor"] | null;
            bounds?: components["schemas"]["NewRuleBounds"] | null;
            brake?: components["schemas"]["NewRuleBrake"] | null;
            budgetPerDay?: string | number | null;
            schedule?: components["schemas"]["NewRuleSchedule"] | null;
            currency?: string | null;
            actions: readonly components["schemas"]["Action"][];
        };
        Scope: components["schemas"]["ScopeAllSent"] | components["schemas"]["ScopeAttribute"] | components["schemas"]["ScopeSkuSent"];
        ScopeAttributeMatchesBrandContains: {
            contains: string;
        };
        ScopeAttributeMatchesBrandOption3ItemContains: {
            contains: string;
        };
        ScopeAttributeMatchesCategoryContains: {
            contains: string;
        };
        ScopeAttributeMatchesCategoryOption3ItemContains: {
            contains: string;
        };
        ScopeAttributeMatchesTierContains: {
            contains: string;
        };
        ScopeAttributeMatchesTierOption3ItemContains: {
            contains: string;
        };
        ScopeAttributeMatchesCurrencyContains: {
            contains: string;
        };
        ScopeAttributeMatchesCurrencyOption3ItemContains: {
            contains: string;
        };
        ScopeAttribute: {
            mode: string;
            /**
             * @example {
             *       "brand": [
             *         "Sony"
             *       ],
             *       "category": {
             *         "contains": "Audio"
             *       }
             *     }
             */
            matches: {
                brand?: string | components["schemas"]["ScopeAttributeMatchesBrandContains"] | readonly (string | components["schemas"]["ScopeAttributeMatchesBrandOption3ItemContains"])[];
                category?: string | components["schemas"]["ScopeAttributeMatchesCategoryContains"] | readonly (string | components["schemas"]["ScopeAttributeMatchesCategoryOption3ItemContains"])[];
                tier?: string | components["schemas"]["ScopeAttributeMatchesTierContains"] | readonly (string | components["schemas"]["ScopeAttributeMatchesTierOption3ItemContains"])[];
                currency?: string | components["schemas"]["ScopeAttributeMatchesCurrencyContains"] | readonly (string | components["schemas"]["ScopeAttributeMatchesCurrencyOption3ItemContains"])[];
            };
        };
        RuleMarginFloor: {
            pct: number;
        };
        RuleBounds: {
            markupPct: number | null;
            minCents: number | null;
            maxCents: number | null;
            belowTargetPct: number | null;
            aboveTargetPct: number | null;
            maxMovePct: number | null;
            maxMovePerDayPct: number | null;
            maxMovesPerDay: number | null;
            /** @enum {string} */
            noTarget: "stop" | "ignore";
        };
        RuleBrake: {
            cuts: number;
            days: number;
            restDays: number;
        };
        RuleSchedule: {
            /** @example 06:00 */
            at: string;
            days: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            only: boolean;
        };
        Rule: {
            id: string;
            name: string;
            description: string | null;
            enabled: boolean;
            priority: number;
            cooldownMinutes: number;
            when: components["schemas"]["WhenAnswer"];
            scope: components["schemas"]["ScopeAnswer"];
            marginFloor: components["schemas"]["RuleMarginFloor"] | null;
            bounds: components["schemas"]["RuleBounds"] | null;
            brake: components["schemas"]["RuleBrake"] | null;
            budgetPerDay: number | null;
            schedule: components["schemas"]["RuleSchedule"] | null;
            currency: string | null;
            actions: components["schemas"]["ActionAnswer"][];
            version: number;
            createdBy: {
                type: string;
                id: string;
                name: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            deletedAt: string | null;
            stats: {
                fires30d: number;
                /** Format: date-time */
                lastFiredAt: string | null;
            };
            sentence: components["schemas"]["RuleSentence"];
        };
        RulePatchMarginFloor: {
            pct: string | number | null;
        };
        RulePatchBounds: {
            markupPct?: string | number | null;
            minCents?: string | number | null;
            maxCents?: string | number | null;
            belowTargetPct?: string | number | null;
            aboveTargetPct?: string | number | null;
            maxMovePct?: string | number | null;
            maxMovePerDayPct?: string | number | null;
            maxMovesPerDay?: string | number | null;
            noTarget?: string | null;
        };
        RulePatchBrake: {
            cuts: string | number | null;
            days: string | number | null;
            restDays: string | number | null;
        };
        RulePatchSchedule: {
            /** @example 06:00 */
            at: string;
            days?: readonly string[] | null;
            only?: boolean | null;
        };
        RulePatch: {
            name?: string;
            description?: string | null;
            enabled?: boolean | null;
            priority?: string | number | null;
            cooldownMinutes?: string | number | null;
            when?: components["schemas"]["When"];
            scope?: components["schemas"]["Scope"];
            marginFloor?: components["schemas"]["RulePatchMarginFloor"] | null;
            bounds?: components["schemas"]["RulePatchBounds"] | null;
            brake?: components["schemas"]["RulePatchBrake"] | null;
            budgetPerDay?: string | number | null;
            schedule?: components["schemas"]["RulePatchSchedule"] | null;
            currency?: string | null;
            actions?: readonly components["schemas"]["Action"][];
        };
        Toggled: {
            /** @enum {boolean} */
            ok: true;
            enabled: boolean;
        };
        Simulation: {
            firstFive: {
                sku: string;
                wouldFire: boolean;
                proposedCents?: number;
                reason: string;
            }[];
            evaluated: number;
            fired: number;
            results: components["schemas"]["SimulatedDecision"][];
            ignored: {
                id: string;
                reason: string;
            }[];
        };
        SimulatedDecision: {
            productId: string;
            sku: string;
            wouldFire: boolean;
            currentCents: number | null;
            proposedCents?: number;
            marginPct: number | null;
            bindingGuard: string | null;
            goalCents: number | null;
            notes: string[];
            cooldownActive: boolean;
            reason: string;
            trace: components["schemas"]["Trace"];
        };
        TracePriceReference: {
            cents: number;
            exact: string;
            /** @enum {string} */
            kind: "cheapest" | "nth" | "highest" | "average" | "median" | "competitor" | "target" | "cost";
            isFallback: boolean;
        };
        TracePriceWish: {
            cents: number;
            exact: string;
        };
        TracePriceLow: {
            cents: number;
            by: string;
        };
        TracePriceHigh: {
            cents: number;
            by: string;
        };
        TracePriceLimit: {
            lowCents: number;
            highCents: number;
        };
        TracePriceFloor: {
            pct: number;
            cents: number;
            lifts: boolean;
        };
        TracePriceRounding: {
            ending: string;
            fromCents: number;
        };
        TracePrice: {
            formula: string | null;
            reference: components["schemas"]["TracePriceReference"] | null;
            wish: components["schemas"]["TracePriceWish"] | null;
            low: components["schemas"]["TracePriceLow"] | null;
            high: components["schemas"]["TracePriceHigh"] | null;
            goalCents?: number | null;
            limit: components["schemas"]["TracePriceLimit"] | null;
            notes?: {
                code: string;
                facts: {
                    [key: string]: unknown;
                };
            }[];
            targetMarginPct: number | null;
            wishedCents: number;
            floor: components["schemas"]["TracePriceFloor"] | null;
            rounding: components["schemas"]["TracePriceRounding"] | null;
            proposedCents: number;
        };
        Trace: {
            at: string;
            /** @enum {string} */
            mode: "live" | "simulate" | "backtest" | "explain";
            ruleId: string;
            inputs: {
                currency: string;
                ourPriceCents: number | null;
                costPriceCents: number | null;
                pricesIncludeVat: boolean;
                vatRatePct: number | null;
                priceLocked: boolean;
                ownShippingCents?: number | null;
                heldUntil?: string | null;
                dayAgoCents: number | null;
                setByPersonAt: string | null;
                lastFiredAt: string | null;
                lastRank: number | null;
            };
            trigger: {
                value: string;
                reference: string;
                comparedWith: string[];
                fires: boolean;
                said: {
                    code: string;
                    facts: {
                        [key: string]: unknown;
                    };
                };
                reason: string;
            };
            references: {
                matchId: string;
                competitorId: string;
                competitor: string;
                priceCents: number | null;
                currency: string | null;
                packFactor: number;
                inStock: boolean | null;
                confidence: number | null;
                observedAt: string | null;
                pricesIncludeVat: boolean;
                shippingCents?: number | null;
                seller?: string | null;
                unitCents: number;
                exact: string;
                isUsed: boolean;
                previousPriceCents?: number | null;
            }[];
            leftOut: {
                matchId: string;
                competitorId: string;
                competitor: string;
                priceCents: number | null;
                currency: string | null;
                packFactor: number;
                inStock: boolean | null;
                confidence: number | null;
                observedAt: string | null;
                pricesIncludeVat: boolean;
                shippingCents?: number | null;
                seller?: string | null;
                why: string;
            }[];
            price: components["schemas"]["TracePrice"] | null;
            guards: {
                guard: string;
                /** @enum {string} */
                forbids: "price" | "apply";
                facts: {
                    [key: string]: unknown;
                } | null;
                why: string | null;
            }[];
            bindingGuard: string | null;
        };
        DraftSimulateRequest: {
            sampleProductIds?: readonly string[] | null;
            rule: components["schemas"]["NewRule"];
            ruleId?: string | null;
        };
        ClauseCounts: {
            scope: number;
            withOffers: number;
            offers: number;
            fires: number;
            moves: number;
            bound: number;
            isCut: boolean;
        };
        ClauseCountRequest: {
            rule: components["schemas"]["NewRule"];
            ruleId?: string | null;
        };
        AutomationAutomationStop: {
            /** Format: date-time */
            at: string;
            byName: string;
            reason: string;
        };
        Automation: {
            automationStop: components["schemas"]["AutomationAutomationStop"] | null;
            rules: number;
            waiting: number;
            applied24h: number;
        };
        AutomationStopRequest: {
            /** @example Campaign with the manufacturer */
            reason: string | null;
        };
        AutomationResumeRequest: {
            /** @example Campaign with the manufacturer */
            reason?: string | null;
        };
        SimulateRequest: {
            sampleProductIds?: readonly string[] | null;
        };
        RuleLearningBefore: {
            units: number;
            marginCents: number;
        };
        RuleLearningAfter: {
            units: number;
            marginCents: number;
        };
        RuleLearningCategory: {
            before: number | null;
            after: number | null;
        };
        RuleLearning: {
            month: string;
            currency: string;
            changes: number;
            counted: number;
            leftOut: {
                tooYoung: number;
                otherChange: number;
                noSales: number;
                noCost: number;
                otherCurrency: number;
            };
            isCut: boolean;
            before: components["schemas"]["RuleLearningBefore"] | null;
            after: components["schemas"]["RuleLearningAfter"] | null;
            category: components["schemas"]["RuleLearningCategory"] | null;
            items: components["schemas"]["LearningChange"][];
        };
        LearningChange: {
            productId: string;
            sku: string;
            /** Format: date-time */
            at: string;
            fromCents: number;
            toCents: number;
            marginBeforePct: number | null;
            marginAfterPct: number | null;
            unitsBefore: number;
            unitsAfter: number;
        };
        BacktestRequest: {
            days?: string | number | null;
        };
        BacktestResult: {
            days: number;
            evaluated: number;
            firesPerDay: {
                /** Format: date */
                date: string;
                fires: number;
                proposals: number;
            }[];
            moves: {
                up: number;
                down: number;
                averagePct: number | null;
            };
            margin: {
                currentPct: number | null;
                proposedPct: number | null;
            };
            conflicts: {
                ruleId: string;
                products: number;
            }[];
        };
        BacktestError: {
            code: string;
            message: string;
        };
        Backtest: {
            jobId: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            progress: {
                processed: number;
                total: number | null;
            };
            result: components["schemas"]["BacktestResult"] | null;
            error: components["schemas"]["BacktestError"] | null;
        };
        DecisionPage: {
            items: components["schemas"]["ExplainedDecision"][];
            nextCursor: string | null;
            count: number;
        };
        ExplainedDecision: {
            ruleId: string;
            ruleName: string;
            /** @enum {string} */
            outcome: "rest" | "alert" | "propose" | "apply";
            wouldFire: boolean;
            cooldownActive: boolean;
            currentCents: number | null;
            proposedCents: number | null;
            marginPct: number | null;
            bindingGuard: string | null;
            goalCents: number | null;
            notes: string[];
            blocked: string[];
            held: string[];
            reason: string;
            trace: components["schemas"]["Trace"];
        };
        BrakePage: {
            items: components["schemas"]["Brake"][];
            nextCursor: string | null;
            count: number;
        };
        BrakeWar: {
            competitorId: string;
            competitor: string | null;
        };
        Brake: {
            productId: string;
            sku: string;
            title: string;
            ruleId: string;
            ruleName: string;
            currency: string;
            /** Format: date-time */
            closedAt: string;
            /** Format: date-time */
            until: string;
            war: components["schemas"]["BrakeWar"] | null;
            cuts: {
                /** Format: date-time */
                at: string;
                fromCents: number;
                toCents: number;
                competitorId: string | null;
                competitor: string | null;
                referenceCents: number | null;
            }[];
        };
        BrakeRelease: {
            /** @example Campaign with the manufacturer */
            reason?: string | null;
        };
        HeldShops: {
            items: components["schemas"]["HeldShop"][];
        };
        HeldShop: {
            competitorId: string;
            competitor: string;
            waiting: number;
            /** Format: date-time */
            heldAt: string;
            patterns: {
                /** @enum {string} */
                kind: "down" | "up" | "same";
                price: number | null;
                currency: string | null;
                count: number;
                seen: number;
                /** Format: date-time */
                since: string;
            }[];
        };
        ShopOutcome: {
            decided: number;
            left: number;
        };
        ShopDecision: {
            action: string;
            /** @example Campaign with the manufacturer */
            reason?: string | null;
        };
        HeldPricePage: {
            items: components["schemas"]["HeldPrice"][];
            nextCursor: string | null;
            count: number;
        };
        HeldPriceWould: {
            ruleId: string;
            ruleName: string;
            /** @enum {string} */
            outcome: "propose" | "apply" | "rest";
            currentCents: number | null;
            proposedCents: number;
            currency: string;
        };
        HeldPrice: {
            id: string;
            productId: string;
            sku: string;
            title: string;
            competitorProductId: string;
            competitorId: string;
            competitor: string;
            price: number;
            currency: string;
            inStock: boolean | null;
            acceptedPrice: number | null;
            acceptedCurrency: string | null;
            /** @enum {string} */
            code: "unit" | "currency" | "fell" | "rose" | "below_market" | "above_market" | "below_cost" | "shop_jump" | "shop_same_price" | "first_price_off";
            against: number | null;
            /** Format: date-time */
            heldAt: string;
            /** Format: date-time */
            observedAt: string;
            would: components["schemas"]["HeldPriceWould"] | null;
        };
        QuarantineOutcome: {
            results: {
                id: string;
                ok: boolean;
                error?: {
                    code: string;
                    message: string;
                };
            }[];
        };
        QuarantineDecision: {
            action: string;
            ids: readonly string[];
            /** @example Campaign with the manufacturer */
            reason?: string | null;
        };
        SimulationStarted: {
            id: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
        };
        SimulationRequest: {
            rule: components["schemas"]["NewRule"];
            ruleId?: string | null;
        };
        CatalogueSimulationResultEffectRevenue: {
            before30dCents: number;
            after30dCents: number;
        };
        CatalogueSimulationResultEffect: {
            products: number;
            before30dCents: number;
            after30dCents: number;
            revenue: components["schemas"]["CatalogueSimulationResultEffectRevenue"] | null;
        };
        CatalogueSimulationResult: {
            inScope: number;
            fired: number;
            up: number;
            down: number;
            wouldApply: number;
            resting: {
                code: string;
                products: number;
            }[];
            braked: {
                code: string;
                products: number;
            }[];
            margin: {
                before: number | null;
                after: number | null;
                known: number;
            };
            effect: components["schemas"]["CatalogueSimulationResultEffect"] | null;
            gap: {
                edges: number[];
                before: number[];
                stored: number[] | null;
                after: number[];
            };
            cheapest: {
                before: number;
                stored: number | null;
                after: number;
            };
            conflicts: {
                ruleId: string;
                products: number;
                wins: number;
            }[];
        };
        CatalogueSimulationError: {
            code: string;
            message: string;
        };
        CatalogueSimulation: {
            id: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            progress: {
                processed: number;
                total: number | null;
            };
            /** Format: date-time */
            asOf: string;
            ruleId: string | null;
            result: components["schemas"]["CatalogueSimulationResult"] | null;
            error: components["schemas"]["CatalogueSimulationError"] | null;
        };
        SimulationItemPage: {
            items: components["schemas"]["SimulationItem"][];
            nextCursor: string | null;
            count: number;
        };
        SimulationItem: {
            productId: string;
            sku: string;
            /** @enum {string} */
            outcome: "up" | "down" | "rests";
            code: string | null;
            currency: string;
            currentCents: number | null;
            proposedCents: number | null;
            changePct: number | null;
            marginPct: number | null;
            proposedMarginPct: number | null;
        };
        RuleApplied: {
            /** @enum {string} */
            status: "queued";
            products: number;
            moves: number;
        };
        RuleApplyRequest: {
            simulationId: string;
        };
        ProductChart: {
            own: [
                string,
                number | null
            ][];
            shops: {
                competitorProductId: string;
                competitorId: string;
                competitor: string;
                packFactor: number;
                points: [
                    string,
                    number | null
                ][];
                gaps: [
                    string,
                    string
                ][];
                /** Format: date-time */
                lastSeenAt: string | null;
            }[];
            currency: string;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
        };
        TimelineItemMoveActor: {
            type: string;
            id: string;
            name: string;
        };
        TimelineItemMove: {
            id: string;
            /** Format: date-time */
            at: string;
            title: string;
            actor: components["schemas"]["TimelineItemMoveActor"] | null;
            ref: string | null;
            /** @enum {string} */
            type: "move";
            data: {
                /** @enum {string} */
                kind: "down" | "up" | "back_in_stock" | "sold_out" | "new_offer";
                competitorProductId: string;
                competitorId: string;
                competitor: string;
                fromCents: number | null;
                toCents: number | null;
                currency: string;
                changePct: number | null;
            };
        };
        TimelineItemPriceActor: {
            type: string;
            id: string;
            name: string;
        };
        TimelineItemPrice: {
            id: string;
            /** Format: date-time */
            at: string;
            title: string;
            actor: components["schemas"]["TimelineItemPriceActor"] | null;
            ref: string | null;
            /** @enum {string} */
            type: "price";
            data: {
                /** @enum {string} */
                source: "api" | "import" | "rule" | "proposal" | "rollback";
                fromCents: number | null;
                toCents: number | null;
                currency: string;
            };
        };
        TimelineItemImportActor: {
            type: string;
            id: string;
            name: string;
        };
        TimelineItemImport: {
            id: string;
            /** Format: date-time */
            at: string;
            title: string;
            actor: components["schemas"]["TimelineItemImportActor"] | null;
            ref: string | null;
            /** @enum {string} */
            type: "import";
            data: {
                /** @enum {string} */
                source: "api" | "import" | "rule" | "proposal" | "rollback";
                fromCents: number | null;
                toCents: number | null;
                currency: string;
            };
        };
        TimelineItemProposalActor: {
            type: string;
            id: string;
            name: string;
        };
        TimelineItemProposal: {
            id: string;
            /** Format: date-time */
            at: string;
            title: string;
            actor: components["schemas"]["TimelineItemProposalActor"] | null;
            ref: string | null;
            /** @enum {string} */
            type: "proposal";
            data: {
                /** @enum {string} */
                event: "made" | "decided";
                /** @enum {string} */
                status: "open" | "applied" | "rejected" | "expired" | "superseded" | "rolled_back";
                ruleId: string;
                ruleName: string;
                currentCents: number;
                proposedCents: number;
                currency: string;
                reason: string;
                /** Format: date-time */
                expiresAt: string;
            };
        };
        TimelineItemAlertActor: {
            type: string;
            id: string;
            name: string;
        };
        TimelineItemAlertDataFactsRuleFired: {
            /** @enum {string} */
            code: "rule_fired";
            ruleName: string;
            sku: string;
            productTitle: string;
            trigger: string;
            /** @enum {string} */
            outcome: "rest" | "alert" | "propose" | "apply";
            currency: string;
            currentCents: number | null;
            proposedCents: number | null;
            marginPct: number | null;
            competitor: string | null;
            competitorCents: number | null;
            guard: string | null;
        };
        TimelineItemAlertDataFactsBrakeClosed: {
            /** @enum {string} */
            code: "brake_closed";
            ruleName: string;
            sku: string;
            productTitle: string;
            competitor: string | null;
            cuts: number;
            currency: string;
            fromCents: number;
            toCents: number;
            /** Format: date-time */
            until: string;
        };
        TimelineItemAlertDataFactsImportFailed: {
            /** @enum {string} */
            code: "import_failed" | "import_held";
            label: string;
            jobId: string;
            errorCode: string | null;
        };
        TimelineItemAlertDataFactsPriceOutOfBounds: {
            /** @enum {string} */
            code: "price_out_of_bounds";
            sku: string;
            productTitle: string;
            currency: string;
            cents: number;
            /** @enum {string} */
            bound: "below_min" | "above_max";
            limitCents: number;
            by: string;
        };
        TimelineItemAlertDataFactsImportOutOfBounds: {
            /** @enum {string} */
            code: "import_out_of_bounds";
            label: string;
            jobId: string;
            count: number;
        };
        TimelineItemAlertDataFactsHoldSwitchedOn: {
            /** @enum {string} */
            code: "hold_switched_on";
            movePct: number;
            sharePct: number;
        };
        TimelineItemAlertDataFactsImportOverdue: {
            /** @enum {string} */
            code: "import_overdue";
            hours: number;
            /** Format: date-time */
            lastAt: string;
        };
        TimelineItemAlertDataFactsPricesNotArrived: {
            /** @enum {string} */
            code: "prices_not_arrived";
            count: number;
            expected: number;
        };
        TimelineItemAlertDataFactsNotFetched: {
            /** @enum {string} */
            code: "not_fetched";
            sourceId: string;
            name: string;
            errorCode: string;
            message: string;
        };
        TimelineItemAlertDataFactsSourceSilent: {
            /** @enum {string} */
            code: "source_silent";
            sourceId: string;
            name: string;
            /** Format: date-time */
            expectedAt: string;
            /** Format: date-time */
            lastAt: string | null;
        };
        TimelineItemAlertDataFactsDomainFailing: {
            /** @enum {string} */
            code: "domain_failing";
            domain: string;
            /** Format: date-time */
            since: string;
            lastError: string | null;
        };
        TimelineItemAlertDataFactsRecipeDrifting: {
            /** @enum {string} */
            code: "recipe_drifting";
            competitorId: string;
            domain: string;
            competitor: string;
        };
        TimelineItemAlertDataFactsShopHeld: {
            /** @enum {string} */
            code: "shop_held";
            competitorId: string;
            competitor: string;
            /** @enum {string} */
            pattern: "down" | "up" | "same";
            count: number;
            seen: number;
            priceCents: number | null;
            currency: string | null;
        };
        TimelineItemAlertDataFactsDiscoveryFellBack: {
            /** @enum {string} */
            code: "discovery_fell_back";
            competitorId: string;
            competitor: string;
            takenBack: number;
            of: number;
        };
        TimelineItemAlertDataFactsOtherProductReason: {
            code: string;
            ours: string | null;
            theirs: string | null;
        };
        TimelineItemAlertDataFactsOtherProduct: {
            /** @enum {string} */
            code: "other_product";
            competitorProductId: string;
            competitorId: string;
            competitor: string;
            url: string;
            sku: string;
            productTitle: string;
            reason: components["schemas"]["TimelineItemAlertDataFactsOtherProductReason"] | null;
        };
        TimelineItemAlertDataFactsOtherProducts: {
            /** @enum {string} */
            code: "other_products";
            count: number;
            shops: number;
            /** Format: date-time */
            since: string;
        };
        TimelineItemAlertDataFactsWebhookDisabled: {
            /** @enum {string} */
            code: "webhook_disabled";
            host: string;
            /** Format: date-time */
            since: string | null;
        };
        TimelineItemAlertDataFacts: components["schemas"]["TimelineItemAlertDataFactsRuleFired"] | components["schemas"]["TimelineItemAlertDataFactsBrakeClosed"] | components["schemas"]["TimelineItemAlertDataFactsImportFailed"] | components["schemas"]["TimelineItemAlertDataFactsPriceOutOfBounds"] | components["schemas"]["TimelineItemAlertDataFactsImportOutOfBounds"] | components["schemas"]["TimelineItemAlertDataFactsHoldSwitchedOn"] | components["schemas"]["TimelineItemAlertDataFactsImportOverdue"] | components["schemas"]["TimelineItemAlertDataFactsPricesNotArrived"] | components["schemas"]["TimelineItemAlertDataFactsNotFetched"] | components["schemas"]["TimelineItemAlertDataFactsSourceSilent"] | components["schemas"]["TimelineItemAlertDataFactsDomainFailing"] | components["schemas"]["TimelineItemAlertDataFactsRecipeDrifting"] | components["schemas"]["TimelineItemAlertDataFactsShopHeld"] | components["schemas"]["TimelineItemAlertDataFactsDiscoveryFellBack"] | components["schemas"]["TimelineItemAlertDataFactsOtherProduct"] | components["schemas"]["TimelineItemAlertDataFactsOtherProducts"] | components["schemas"]["TimelineItemAlertDataFactsWebhookDisabled"];
        TimelineItemAlert: {
            id: string;
            /** Format: date-time */
            at: string;
            title: string;
            actor: components["schemas"]["TimelineItemAlertActor"] | null;
            ref: string | null;
            /** @enum {string} */
            type: "alert";
            data: {
                /** @enum {string} */
                severity: "info" | "low" | "medium" | "high" | "critical";
                ruleId: string | null;
                body: string;
                facts: components["schemas"]["TimelineItemAlertDataFacts"] | null;
            };
        };
        TimelineItemEditActor: {
            type: string;
            id: string;
            name: string;
        };
        TimelineItemEdit: {
            id: string;
            /** Format: date-time */
            at: string;
            title: string;
            actor: components["schemas"]["TimelineItemEditActor"] | null;
            ref: string | null;
            /** @enum {string} */
            type: "edit";
            data: {
                action: string;
                before: {
                    [key: string]: unknown;
                } | null;
                after: {
                    [key: string]: unknown;
                } | null;
                currency: string | null;
                reason: string | null;
            };
        };
        TimelineItemExportActor: {
            type: string;
            id: string;
            name: string;
        };
        TimelineItemExport: {
            id: string;
            /** Format: date-time */
            at: string;
            title: string;
            actor: components["schemas"]["TimelineItemExportActor"] | null;
            ref: string | null;
            /** @enum {string} */
            type: "export";
            data: {
                format: string;
                /** Format: date-time */
                from: string | null;
                /** Format: date-time */
                to: string;
                rows: number;
                /** Format: date-time */
                toldAt: string;
            };
        };
        TimelineItem: components["schemas"]["TimelineItemMove"] | components["schemas"]["TimelineItemPrice"] | components["schemas"]["TimelineItemImport"] | components["schemas"]["TimelineItemProposal"] | components["schemas"]["TimelineItemAlert"] | components["schemas"]["TimelineItemEdit"] | components["schemas"]["TimelineItemExport"];
        MarketMoves: {
            items: components["schemas"]["MarketMove"][];
            groups?: components["schemas"]["MarketMoveGroup"][];
            counts: {
                down: number;
                up: number;
                back_in_stock: number;
                sold_out: number;
                new_offer: number;
            };
            total: number;
            products: number;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            asOf: string;
            isCut: boolean;
        };
        MarketMove: {
            id: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            kind: "down" | "up" | "back_in_stock" | "sold_out" | "new_offer";
            productId: string;
            sku: string;
            title: string;
            competitorId: string;
            competitor: string;
            fromCents: number | null;
            toCents: number | null;
            currency: string;
            changePct: number | null;
            isNowCheapest: boolean;
            gapPct: number | null;
        };
        MarketMoveGroup: {
            /** @enum {string} */
            kind: "down" | "up" | "back_in_stock" | "sold_out" | "new_offer";
            competitorId?: string;
            competitor?: string;
            category?: string | null;
            moves: number;
            products: number;
            changePct: number | null;
            nowCheapest: number;
            undercutUs: number;
            withRoom: number;
            biggest: {
                id: string;
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                kind: "down" | "up" | "back_in_stock" | "sold_out" | "new_offer";
                productId: string;
                sku: string;
                title: string;
                competitorId: string;
                competitor: string;
                fromCents: number | null;
                toCents: number | null;
                currency: string;
                changePct: number | null;
                isNowCheapest: boolean;
                gapPct: number | null;
            };
        };
        MarketTrend: {
            points: {
                /** Format: date */
                date: string;
                compared: number;
                cheapest: number;
                middle: number;
                dearest: number;
                indexPct: number | null;
                /** Format: date-time */
                takenAt: string;
            }[];
        };
        MarketSummary: {
            items: {
                brand?: string | null;
                category?: string | null;
                competitorId?: string;
                competitor?: string | null;
                products: number;
                compared: number;
                cheapest: number;
                middle: number;
                dearest: number;
                indexPct: number | null;
                marginPct: number | null;
                states: {
                    no_links: number;
                    unreadable: number;
                    never_seen: number;
                    not_comparable: number;
                    stale: number;
                    sold_out: number;
                    ok: number;
                };
            }[];
            total: number;
            isCut: boolean;
            /** Format: date-time */
            asOf: string;
        };
        CoverageRest: {
            products: number;
            shops: {
                competitorId: string;
                linked: number;
                confirmed: number;
                percent: number;
            }[];
            groups: number;
        };
        Coverage: {
            products: number;
            shops: {
                competitorId: string;
                linked: number;
                confirmed: number;
                percent: number;
                competitor: string;
            }[];
            anywhere: number;
            atThree: number;
            groups: {
                products: number;
                shops: {
                    competitorId: string;
                    linked: number;
                    confirmed: number;
                    percent: number;
                }[];
                name: string | null;
            }[];
            rest: components["schemas"]["CoverageRest"] | null;
            /** Format: date-time */
            asOf: string;
        };
        PriceChangePage: {
            data: components["schemas"]["PriceChangeRow"][];
            nextCursor: string | null;
            nextSince: string | null;
            pricesIncludeVat: boolean;
            count: number;
        };
        PriceChangeRow: {
            sku: string;
            productId: string;
            fromCents: number | null;
            toCents: number | null;
            currency: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            source: "api" | "import" | "rule" | "proposal" | "rollback";
            ref: string | null;
            tier: string | null;
            /** Format: date-time */
            validFrom: string;
        };
        PriceArrival: {
            productId: string;
            sku: string;
            tier: string | null;
            /** @enum {string} */
            status: "waiting" | "not_arrived" | "missing";
            expectedCents: number;
            currency: string;
            seenCents: number | null;
            seenCurrency: string | null;
            seenIn: string | null;
            /** Format: date-time */
            fetchedAt: string;
        };
        OverviewErpLastUndone: {
            entries: number;
            setBack: number;
            deleted: number;
            restored: number;
            prices: number;
            links: number;
            soldDays: number;
            kept: number;
        };
        OverviewErpLastError: {
            code: string;
            message: string;
        };
        OverviewErpLast: {
            jobId: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            hasErrors: boolean;
            /** @enum {string} */
            phase: "check" | "plan" | "apply" | "undo";
            /** @enum {string} */
            mode: "upsert" | "insert" | "update" | "replace";
            dryRun: boolean;
            force: boolean;
            profile: string | null;
            tier: string | null;
            source: string;
            excluded: number;
            reason: string | null;
            appliedFrom: string | null;
            undoes: string | null;
            undone: components["schemas"]["OverviewErpLastUndone"] | null;
            undoneBy: string | null;
            /** Format: date-time */
            undoableUntil: string | null;
            files: components["schemas"]["ImportFile"][];
            stats: {
                inserted: number;
                updated: number;
                skipped: number;
                errors: number;
                competitorsLinked: number;
            };
            count: number;
            removed: number;
            soldDays: number;
            reverted: number;
            errorCount: number;
            warningCount: number;
            error: components["schemas"]["OverviewErpLastError"] | null;
            progress: {
                processed: number;
                total: number | null;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            createdBy: {
                type: string;
                id: string;
                name: string;
            };
        };
        Overview: {
            imports: components["schemas"]["ImportSummary"][];
            priceMoves: {
                up: number;
                down: number;
                isCut: boolean;
                latest: components["schemas"]["PriceChangeRow"][];
            };
            proposals: {
                open: number;
                isCut: boolean;
                oldest: components["schemas"]["Proposal"][];
            };
            failingDomains: {
                competitorId: string;
                domain: string;
                displayName: string;
                health: components["schemas"]["CompetitorHealth"];
            }[];
            alerts: {
                unread: number;
                latest: components["schemas"]["Alert"][];
            };
            erp: {
                last: components["schemas"]["OverviewErpLast"] | null;
                expectedHours: number | null;
                isLate: boolean;
            };
            start: {
                products: number;
                shops: number;
                readShops: number;
                rules: number;
                hasProposal: boolean;
            };
        };
        ProposalTracePriceReference: {
            cents: number;
            exact: string;
            /** @enum {string} */
            kind: "cheapest" | "nth" | "highest" | "average" | "median" | "competitor" | "target" | "cost";
            isFallback: boolean;
        };
        ProposalTracePriceWish: {
            cents: number;
            exact: string;
        };
        ProposalTracePriceLow: {
            cents: number;
            by: string;
        };
        ProposalTracePriceHigh: {
            cents: number;
            by: string;
        };
        ProposalTracePriceLimit: {
            lowCents: number;
            highCents: number;
        };
        ProposalTracePriceFloor: {
            pct: number;
            cents: number;
            lifts: boolean;
        };
        ProposalTracePriceRounding: {
            ending: string;
            fromCents: number;
        };
        ProposalTracePrice: {
            formula: string | null;
            reference: components["schemas"]["ProposalTracePriceReference"] | null;
            wish: components["schemas"]["ProposalTracePriceWish"] | null;
            low: components["schemas"]["ProposalTracePriceLow"] | null;
            high: components["schemas"]["ProposalTracePriceHigh"] | null;
            goalCents?: number | null;
            limit: components["schemas"]["ProposalTracePriceLimit"] | null;
            notes?: {
                code: string;
                facts: {
                    [key: string]: unknown;
                };
            }[];
            targetMarginPct: number | null;
            wishedCents: number;
            floor: components["schemas"]["ProposalTracePriceFloor"] | null;
            rounding: components["schemas"]["ProposalTracePriceRounding"] | null;
            proposedCents: number;
        };
        ProposalTrace: {
            at: string;
            /** @enum {string} */
            mode: "live" | "simulate" | "backtest" | "explain";
            ruleId: string;
            inputs: {
                currency: string;
                ourPriceCents: number | null;
                costPriceCents: number | null;
                pricesIncludeVat: boolean;
                vatRatePct: number | null;
                priceLocked: boolean;
                ownShippingCents?: number | null;
                heldUntil?: string | null;
                dayAgoCents: number | null;
                setByPersonAt: string | null;
                lastFiredAt: string | null;
                lastRank: number | null;
            };
            trigger: {
                value: string;
                reference: string;
                comparedWith: string[];
                fires: boolean;
                said: {
                    code: string;
                    facts: {
                        [key: string]: unknown;
                    };
                };
                reason: string;
            };
            references: {
                matchId: string;
                competitorId: string;
                competitor: string;
                priceCents: number | null;
                currency: string | null;
                packFactor: number;
                inStock: boolean | null;
                confidence: number | null;
                observedAt: string | null;
                pricesIncludeVat: boolean;
                shippingCents?: number | null;
                seller?: string | null;
                unitCents: number;
                exact: string;
                isUsed: boolean;
                previousPriceCents?: number | null;
            }[];
            leftOut: {
                matchId: string;
                competitorId: string;
                competitor: string;
                priceCents: number | null;
                currency: string | null;
                packFactor: number;
                inStock: boolean | null;
                confidence: number | null;
                observedAt: string | null;
                pricesIncludeVat: boolean;
                shippingCents?: number | null;
                seller?: string | null;
                why: string;
            }[];
            price: components["schemas"]["ProposalTracePrice"] | null;
            guards: {
                guard: string;
                /** @enum {string} */
                forbids: "price" | "apply";
                facts: {
                    [key: string]: unknown;
                } | null;
                why: string | null;
            }[];
            bindingGuard: string | null;
        };
        ProposalDecidedBy: {
            type: string;
            id: string;
            name: string;
        };
        ProposalApprovalVariant2: {
            people: number;
            cents: number;
            by: {
                type: string;
                id: string;
                name: string;
                /** Format: date-time */
                at: string;
            }[];
        };
        ProposalMarketThen: {
            offers: number;
            cheapestCents: number | null;
            cheapestCompetitorId: string | null;
            cheapestCompetitor: string | null;
            averageCents: number | null;
            gapCents: number | null;
            gapPct: number | null;
            rank: number | null;
            of: number;
        };
        ProposalMarketNow: {
            offers: number;
            cheapestCents: number | null;
            cheapestCompetitorId: string | null;
            cheapestCompetitor: string | null;
            averageCents: number | null;
            gapCents: number | null;
            gapPct: number | null;
            rank: number | null;
            of: number;
        };
        ProposalMarketAfter: {
            offers: number;
            cheapestCents: number | null;
            cheapestCompetitorId: string | null;
            cheapestCompetitor: string | null;
            averageCents: number | null;
            gapCents: number | null;
            gapPct: number | null;
            rank: number | null;
            of: number;
        };
        ProposalEffect: {
            cents: number;
            /** @enum {string} */
            basis: "piece" | "30d";
        };
        Proposal: {
            id: string;
            ruleId: string;
            ruleName: string;
            productId: string;
            sku: string;
            productTitle: string | null;
            currentCents: number;
            proposedCents: number;
            currency: string;
            /** @enum {string} */
            status: "open" | "applied" | "rejected" | "expired" | "superseded" | "rolled_back";
            /** @example no_longer_fires */
            reason: string;
            trace: components["schemas"]["ProposalTrace"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            decidedAt: string | null;
            decidedBy: components["schemas"]["ProposalDecidedBy"] | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            heldUntil: string | null;
            reopenedFrom: string | null;
            appliedCents: number | null;
            decisionReason: string | null;
            units30d: number | null;
            approval: components["schemas"]["ProposalApprovalVariant2"] | null;
            marketThen: components["schemas"]["ProposalMarketThen"] | null;
            marketNow: components["schemas"]["ProposalMarketNow"] | null;
            marketAfter: components["schemas"]["ProposalMarketAfter"] | null;
            hasMarketMoved: boolean | null;
            marginPct: number | null;
            marginAfterPct: number | null;
            effect: components["schemas"]["ProposalEffect"] | null;
        };
        AlertFactsRuleFired: {
            /** @enum {string} */
            code: "rule_fired";
            ruleName: string;
            sku: string;
            productTitle: string;
            trigger: string;
            /** @enum {string} */
            outcome: "rest" | "alert" | "propose" | "apply";
            currency: string;
            currentCents: number | null;
            proposedCents: number | null;
            marginPct: number | null;
            competitor: string | null;
            competitorCents: number | null;
            guard: string | null;
        };
        AlertFactsBrakeClosed: {
            /** @enum {string} */
            code: "brake_closed";
            ruleName: string;
            sku: string;
            productTitle: string;
            competitor: string | null;
            cuts: number;
            currency: string;
            fromCents: number;
            toCents: number;
            /** Format: date-time */
            until: string;
        };
        AlertFactsImportFailed: {
            /** @enum {string} */
            code: "import_failed" | "import_held";
            label: string;
            jobId: string;
            errorCode: string | null;
        };
        AlertFactsPriceOutOfBounds: {
            /** @enum {string} */
            code: "price_out_of_bounds";
            sku: string;
            productTitle: string;
            currency: string;
            cents: number;
            /** @enum {string} */
            bound: "below_min" | "above_max";
            limitCents: number;
            by: string;
        };
        AlertFactsImportOutOfBounds: {
            /** @enum {string} */
            code: "import_out_of_bounds";
            label: string;
            jobId: string;
            count: number;
        };
        AlertFactsHoldSwitchedOn: {
            /** @enum {string} */
            code: "hold_switched_on";
            movePct: number;
            sharePct: number;
        };
        AlertFactsImportOverdue: {
            /** @enum {string} */
            code: "import_overdue";
            hours: number;
            /** Format: date-time */
            lastAt: string;
        };
        AlertFactsPricesNotArrived: {
            /** @enum {string} */
            code: "prices_not_arrived";
            count: number;
            expected: number;
        };
        AlertFactsNotFetched: {
            /** @enum {string} */
            code: "not_fetched";
            sourceId: string;
            name: string;
            errorCode: string;
            message: string;
        };
        AlertFactsSourceSilent: {
            /** @enum {string} */
            code: "source_silent";
            sourceId: string;
            name: string;
            /** Format: date-time */
            expectedAt: string;
            /** Format: date-time */
            lastAt: string | null;
        };
        AlertFactsDomainFailing: {
            /** @enum {string} */
            code: "domain_failing";
            domain: string;
            /** Format: date-time */
            since: string;
            lastError: string | null;
        };
        AlertFactsRecipeDrifting: {
            /** @enum {string} */
            code: "recipe_drifting";
            competitorId: string;
            domain: string;
            competitor: string;
        };
        AlertFactsShopHeld: {
            /** @enum {string} */
            code: "shop_held";
            competitorId: string;
            competitor: string;
            /** @enum {string} */
            pattern: "down" | "up" | "same";
            count: number;
            seen: number;
            priceCents: number | null;
            currency: string | null;
        };
        AlertFactsDiscoveryFellBack: {
            /** @enum {string} */
            code: "discovery_fell_back";
            competitorId: string;
            competitor: string;
            takenBack: number;
            of: number;
        };
        AlertFactsOtherProductReason: {
            code: string;
            ours: string | null;
            theirs: string | null;
        };
        AlertFactsOtherProduct: {
            /** @enum {string} */
            code: "other_product";
            competitorProductId: string;
            competitorId: string;
            competitor: string;
            url: string;
            sku: string;
            productTitle: string;
            reason: components["schemas"]["AlertFactsOtherProductReason"] | null;
        };
        AlertFactsOtherProducts: {
            /** @enum {string} */
            code: "other_products";
            count: number;
            shops: number;
            /** Format: date-time */
            since: string;
        };
        AlertFactsWebhookDisabled: {
            /** @enum {string} */
            code: "webhook_disabled";
            host: string;
            /** Format: date-time */
            since: string | null;
        };
        AlertFacts: components["schemas"]["AlertFactsRuleFired"] | components["schemas"]["AlertFactsBrakeClosed"] | components["schemas"]["AlertFactsImportFailed"] | components["schemas"]["AlertFactsPriceOutOfBounds"] | components["schemas"]["AlertFactsImportOutOfBounds"] | components["schemas"]["AlertFactsHoldSwitchedOn"] | components["schemas"]["AlertFactsImportOverdue"] | components["schemas"]["AlertFactsPricesNotArrived"] | components["schemas"]["AlertFactsNotFetched"] | components["schemas"]["AlertFactsSourceSilent"] | components["schemas"]["AlertFactsDomainFailing"] | components["schemas"]["AlertFactsRecipeDrifting"] | components["schemas"]["AlertFactsShopHeld"] | components["schemas"]["AlertFactsDiscoveryFellBack"] | components["schemas"]["AlertFactsOtherProduct"] | components["schemas"]["AlertFactsOtherProducts"] | components["schemas"]["AlertFactsWebhookDisabled"];
        Alert: {
            id: string;
            /** @enum {string} */
            severity: "info" | "low" | "medium" | "high" | "critical";
            ruleId: string | null;
            productId: string | null;
            title: string;
            body: string;
            facts: components["schemas"]["AlertFacts"] | null;
            /** @enum {string|null} */
            mail: "sent" | "queued" | "off" | "failed" | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            readAt: string | null;
        };
        ShopFreshnessItemsItemLastError: {
            code: string;
            message: string | null;
            /** Format: date-time */
            at: string;
        };
        ShopFreshness: {
            items: {
                competitorId: string;
                domain: string;
                displayName: string;
                links: number;
                fresh: number;
                failing: number;
                stale: number;
                /** Format: date-time */
                lastSeenAt: string | null;
                lastError: components["schemas"]["ShopFreshnessItemsItemLastError"] | null;
            }[];
            /** Format: date-time */
            asOf: string;
        };
        MorningMail: {
            isOn: boolean;
            isMailOn: boolean;
            time: string;
        };
        MorningMailChange: {
            isOn: boolean;
        };
        MailTest: {
            /** @enum {string} */
            status: "sent" | "failed" | "off";
            to: string | null;
            message: string | null;
        };
        ProposalPage: {
            items: components["schemas"]["Proposal"][];
            nextCursor: string | null;
            count: number;
            total: number | null;
        };
        ProposalSummary: {
            open: number;
            later: number;
            up: number;
            down: number;
            small: number | null;
            thin: number | null;
            expiring: number | null;
            moved: number;
            effectCents: number;
            effect30dCents: number | null;
            rules: {
                ruleId: string;
                ruleName: string;
                count: number;
            }[];
        };
        BulkDecisionOutcome: {
            results: {
                id: string;
                ok: boolean;
                isWaiting?: boolean;
                proposalId?: string;
                error?: {
                    code: string;
                    message: string;
                    details?: {
                        [key: string]: unknown;
                    };
                };
            }[];
            nextCursor: string | null;
        };
        BulkDecision: {
            action: string;
            ids?: readonly string[];
            filter?: {
                ruleId?: string;
                productId?: string;
                sku?: string;
                q?: string;
                later?: boolean;
                direction?: string;
                changeBelowPct?: string | number | null;
                marginBelowPct?: string | number | null;
                hasMarketMoved?: boolean;
                expiresBefore?: string;
                createdBefore?: string;
            };
            cursor?: string;
            /** Format: date-time */
            until?: string | null;
            /** @example Campaign with the manufacturer */
            reason?: string | null;
            leaveOut?: {
                kinds?: readonly string[];
                ids?: readonly string[];
            };
        };
        ProposalPreviewLargestItemEffect: {
            cents: number;
            /** @enum {string} */
            basis: "piece" | "30d";
        };
        ProposalPreview: {
            found: {
                count: number;
                down: {
                    count: number;
                    meanPct: number | null;
                };
                up: {
                    count: number;
                    meanPct: number | null;
                };
                meanPct: number | null;
                thin: number;
                belowCost: number;
                effects30d: {
                    currency: string;
                    cents: number;
                }[];
                withoutSales: number;
                changes: number[];
            };
            accepted: {
                count: number;
                down: {
                    count: number;
                    meanPct: number | null;
                };
                up: {
                    count: number;
                    meanPct: number | null;
                };
                meanPct: number | null;
                thin: number;
                belowCost: number;
                effects30d: {
                    currency: string;
                    cents: number;
                }[];
                withoutSales: number;
                changes: number[];
            };
            edges: number[];
            kinds: {
                /** @enum {string} */
                kind: "below_cost" | "thin" | "moved" | "large" | "unsold";
                pct: number | null;
                count: number;
                already: number;
                effects30d: {
                    currency: string;
                    cents: number;
                }[];
            }[];
            largest: {
                id: string;
                productId: string;
                sku: string;
                productTitle: string | null;
                currentCents: number;
                proposedCents: number;
                currency: string;
                marginAfterPct: number | null;
                effect: components["schemas"]["ProposalPreviewLargestItemEffect"] | null;
                kinds: ("below_cost" | "thin" | "moved" | "large" | "unsold")[];
                isLeftOut: boolean;
            }[];
        };
        ProposalPreviewQuery: {
            ids?: readonly string[];
            filter?: {
                ruleId?: string;
                productId?: string;
                sku?: string;
                q?: string;
                later?: boolean;
                direction?: string;
                changeBelowPct?: string | number | null;
                marginBelowPct?: string | number | null;
                hasMarketMoved?: boolean;
                expiresBefore?: string;
                createdBefore?: string;
            };
            leaveOut?: components["schemas"]["LeftOutProposals"];
        };
        LeftOutProposals: {
            kinds?: readonly string[];
            ids?: readonly string[];
        };
        ProposalInMarketTracePriceReference: {
            cents: number;
            exact: string;
            /** @enum {string} */
            kind: "cheapest" | "nth" | "highest" | "average" | "median" | "competitor" | "target" | "cost";
            isFallback: boolean;
        };
        ProposalInMarketTracePriceWish: {
            cents: number;
            exact: string;
        };
        ProposalInMarketTracePriceLow: {
            cents: number;
            by: string;
        };
        ProposalInMarketTracePriceHigh: {
            cents: number;
            by: string;
        };
        ProposalInMarketTracePriceLimit: {
            lowCents: number;
            highCents: number;
        };
        ProposalInMarketTracePriceFloor: {
            pct: number;
            cents: number;
            lifts: boolean;
        };
        ProposalInMarketTracePriceRounding: {
            ending: string;
            fromCents: number;
        };
        ProposalInMarketTracePrice: {
            formula: string | null;
            reference: components["schemas"]["ProposalInMarketTracePriceReference"] | null;
            wish: components["schemas"]["ProposalInMarketTracePriceWish"] | null;
            low: components["schemas"]["ProposalInMarketTracePriceLow"] | null;
            high: components["schemas"]["ProposalInMarketTracePriceHigh"] | null;
            goalCents?: number | null;
            limit: components["schemas"]["ProposalInMarketTracePriceLimit"] | null;
            notes?: {
                code: string;
                facts: {
                    [key: string]: unknown;
                };
            }[];
            targetMarginPct: number | null;
            wishedCents: number;
            floor: components["schemas"]["ProposalInMarketTracePriceFloor"] | null;
            rounding: components["schemas"]["ProposalInMarketTracePriceRounding"] | null;
            proposedCents: number;
        };
        ProposalInMarketTrace: {
            at: string;
            /** @enum {string} */
            mode: "live" | "simulate" | "backtest" | "explain";
            ruleId: string;
            inputs: {
                currency: string;
                ourPriceCents: number | null;
                costPriceCents: number | null;
                pricesIncludeVat: boolean;
                vatRatePct: number | null;
                priceLocked: boolean;
                ownShippingCents?: number | null;
                heldUntil?: string | null;
                dayAgoCents: number | null;
                setByPersonAt: string | null;
                lastFiredAt: string | null;
                lastRank: number | null;
            };
            trigger: {
                value: string;
                reference: string;
                comparedWith: string[];
                fires: boolean;
                said: {
                    code: string;
                    facts: {
                        [key: string]: unknown;
                    };
                };
                reason: string;
            };
            references: {
                matchId: string;
                competitorId: string;
                competitor: string;
                priceCents: number | null;
                currency: string | null;
                packFactor: number;
                inStock: boolean | null;
                confidence: number | null;
                observedAt: string | null;
                pricesIncludeVat: boolean;
                shippingCents?: number | null;
                seller?: string | null;
                unitCents: number;
                exact: string;
                isUsed: boolean;
                previousPriceCents?: number | null;
            }[];
            leftOut: {
                matchId: string;
                competitorId: string;
                competitor: string;
                priceCents: number | null;
                currency: string | null;
                packFactor: number;
                inStock: boolean | null;
                confidence: number | null;
                observedAt: string | null;
                pricesIncludeVat: boolean;
                shippingCents?: number | null;
                seller?: string | null;
                why: string;
            }[];
            price: components["schemas"]["ProposalInMarketTracePrice"] | null;
            guards: {
                guard: string;
                /** @enum {string} */
                forbids: "price" | "apply";
                facts: {
                    [key: string]: unknown;
                } | null;
                why: string | null;
            }[];
            bindingGuard: string | null;
        };
        ProposalInMarketDecidedBy: {
            type: string;
            id: string;
            name: string;
        };
        ProposalInMarketApproval: {
            people: number;
            cents: number;
            by: {
                type: string;
                id: string;
                name: string;
                /** Format: date-time */
                at: string;
            }[];
        };
        ProposalInMarketMarketThen: {
            offers: number;
            cheapestCents: number | null;
            cheapestCompetitorId: string | null;
            cheapestCompetitor: string | null;
            averageCents: number | null;
            gapCents: number | null;
            gapPct: number | null;
            rank: number | null;
            of: number;
        };
        ProposalInMarketMarketNow: {
            offers: number;
            cheapestCents: number | null;
            cheapestCompetitorId: string | null;
            cheapestCompetitor: string | null;
            averageCents: number | null;
            gapCents: number | null;
            gapPct: number | null;
            rank: number | null;
            of: number;
        };
        ProposalInMarketMarketAfter: {
            offers: number;
            cheapestCents: number | null;
            cheapestCompetitorId: string | null;
            cheapestCompetitor: string | null;
            averageCents: number | null;
            gapCents: number | null;
            gapPct: number | null;
            rank: number | null;
            of: number;
        };
        ProposalInMarketEffect: {
            cents: number;
            /** @enum {string} */
            basis: "piece" | "30d";
        };
        ProposalInMarket: {
            id: string;
            ruleId: string;
            ruleName: string;
            productId: string;
            sku: string;
            productTitle: string | null;
            currentCents: number;
            proposedCents: number;
            currency: string;
            /** @enum {string} */
            status: "open" | "applied" | "rejected" | "expired" | "superseded" | "rolled_back";
            /** @example no_longer_fires */
            reason: string;
            trace: components["schemas"]["ProposalInMarketTrace"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            decidedAt: string | null;
            decidedBy: components["schemas"]["ProposalInMarketDecidedBy"] | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            heldUntil: string | null;
            reopenedFrom: string | null;
            appliedCents: number | null;
            decisionReason: string | null;
            units30d: number | null;
            approval: components["schemas"]["ProposalInMarketApproval"] | null;
            marketThen: components["schemas"]["ProposalInMarketMarketThen"] | null;
            marketNow: components["schemas"]["ProposalInMarketMarketNow"] | null;
            marketAfter: components["schemas"]["ProposalInMarketMarketAfter"] | null;
            hasMarketMoved: boolean | null;
            marginPct: number | null;
            marginAfterPct: number | null;
            effect: components["schemas"]["ProposalInMarketEffect"] | null;
            offers: components["schemas"]["ProposalOffer"][];
        };
        ProposalOffer: {
            competitorProductId: string;
            competitorId: string;
            competitor: string;
            priceCents: number | null;
            unitCents: number | null;
            currency: string | null;
            packFactor: number;
            inStock: boolean | null;
            /** Format: date-time */
            observedAt: string | null;
            counts: boolean;
            why: string | null;
            thenCents: number | null;
        };
        ProposalApproval: {
            price?: (string | number | null) | string;
            priceCents?: string | number | null;
            /** @example Campaign with the manufacturer */
            reason?: string | null;
        };
        ProposalRejection: {
            /** @example Campaign with the manufacturer */
            reason?: string | null;
        };
        ProposalPutOff: {
            /** Format: date-time */
            until: string | null;
        };
        ProposalRollBack: {
            /** @example Campaign with the manufacturer */
            reason?: string | null;
        };
        StartedScrapeRun: {
            runId: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
        };
        StartedScrapeRuns: {
            started: {
                productId: string;
                runId: string;
            }[];
            inHand: string[];
            missing: string[];
            noRoom: string[];
        };
        ScrapeRunsRequest: {
            productIds: readonly string[];
        };
        ScrapeRun: {
            id: string;
            productId: string;
            sku: string;
            /** @enum {string} */
            trigger: "manual" | "schedule";
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            hasErrors: boolean;
            counts: {
                targets: number;
                ok: number;
                failed: number;
                skipped: number;
            };
            results: components["schemas"]["ScrapeResult"][];
            requestedBy: {
                type: string;
                id: string;
                name: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
        };
        ScrapeResult: {
            competitorProductId: string;
            competitor: string;
            url: string;
            /** @enum {string} */
            status: "ok" | "failed" | "skipped";
            price: number | null;
            currency: string | null;
            inStock: boolean | null;
            /** @enum {string|null} */
            availability: "in_stock" | "limited" | "out_of_stock" | "pre_order" | "back_order" | "discontinued" | "unknown" | null;
            method: string | null;
            confidence: number | null;
            alternatives: {
                method: string;
                price: number;
                currency: string;
            }[];
            /** @enum {string|null} */
            pageStatus: "priced" | "on_request" | "sold_out" | "gone" | "listing" | "other_product" | "variant_open" | "net_only" | "third_party" | "blocked" | "unread" | null;
            warnings: "selector_dead"[];
            httpStatus: number | null;
            /**
             * @example robots_disallowed
             * @example blocked
             * @example http_error
             * @example timeout
             * @example dns_error
             * @example unreachable
             * @example private_address
             * @example redirect_refused
             * @example too_large
             * @example too_complex
             * @example unsupported_content
             * @example no_price
             * @example ambiguous_price
             * @example currency_mismatch
             * @example backing_off
             * @example on_request
             * @example sold_out
             * @example gone
             * @example listing
             * @example other_product
             * @example variant_open
             * @example net_only
             * @example third_party
             */
            errorCode: string | null;
            message: string | null;
            durationMs: number | null;
        };
        ScrapeMethodList: {
            data: components["schemas"]["ScrapeMethod"][];
            count: number;
        };
        ScrapeMethod: {
            value: string;
            label: {
                de: string;
                en: string;
            };
        };
        ExtractReportPageUnitPrice: {
            amount: number;
            /**
             * @example 1 kg
             * @example 100 ml
             */
            per: string;
        };
        ExtractReportPage: {
            title: string | null;
            brand: string | null;
            gtin: string | null;
            gtins?: string[];
            mpn: string | null;
            sku: string | null;
            /** @enum {string|null} */
            condition: "new" | "refurbished" | "used" | "damaged" | null;
            seller: string | null;
            isThirdParty: boolean;
            unitPrice: components["schemas"]["ExtractReportPageUnitPrice"] | null;
        };
        ExtractReport: {
            /** @enum {string} */
            status: "ok" | "failed" | "skipped";
            price: number | null;
            currency: string | null;
            inStock: boolean | null;
            /** @enum {string|null} */
            availability: "in_stock" | "limited" | "out_of_stock" | "pre_order" | "back_order" | "discontinued" | "unknown" | null;
            method: string | null;
            confidence: number | null;
            alternatives: {
                method: string;
                price: number;
                currency: string;
            }[];
            /** @enum {string|null} */
            pageStatus: "priced" | "on_request" | "sold_out" | "gone" | "listing" | "other_product" | "variant_open" | "net_only" | "third_party" | "blocked" | "unread" | null;
            warnings: "selector_dead"[];
            page: components["schemas"]["ExtractReportPage"] | null;
            candidates: components["schemas"]["PriceCandidate"][];
            errorCode: string | null;
            message: string | null;
            listPrice: number | null;
            shipping: number | null;
            httpStatus: number | null;
            trace: string[];
        };
        PriceCandidate: {
            id: string;
            amount: number;
            currency: string | null;
            source: string;
            score: number | null;
            features: string[];
            text: string | null;
        };
        ExtractRequest: components["schemas"]["ExtractSentPage"] | components["schemas"]["ExtractAddress"];
        ExtractSentPage: {
            html: string;
            /**
             * Format: uri
             * @example https://www.mediamarkt.de/p/1.html
             */
            url?: string;
            extractor?: components["schemas"]["Extractor"] | null;
            product?: {
                ean?: string | null;
                mpn?: string | null;
                title?: string | null;
                currency?: string | null;
            };
        };
        ExtractAddress: {
            /**
             * Format: uri
             * @example https://www.mediamarkt.de/p/1.html
             */
            url: string;
            extractor?: components["schemas"]["Extractor"] | null;
            product?: {
                ean?: string | null;
                mpn?: string | null;
                title?: string | null;
                currency?: string | null;
            };
        };
        UnsurePagePageUnitPrice: {
            amount: number;
            /**
             * @example 1 kg
             * @example 100 ml
             */
            per: string;
        };
        UnsurePage: {
            competitorProductId: string;
            url: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            pageStatus: "priced" | "on_request" | "sold_out" | "gone" | "listing" | "other_product" | "variant_open" | "net_only" | "third_party" | "blocked" | "unread";
            errorCode: string | null;
            price: number | null;
            currency: string | null;
            confidence: number | null;
            page: {
                title: string | null;
                brand: string | null;
                gtin: string | null;
                gtins?: string[];
                mpn: string | null;
                sku: string | null;
                /** @enum {string|null} */
                condition: "new" | "refurbished" | "used" | "damaged" | null;
                seller: string | null;
                isThirdParty: boolean;
                unitPrice: components["schemas"]["UnsurePagePageUnitPrice"] | null;
            };
            candidates: components["schemas"]["PriceCandidate"][];
        };
        FetchDays: {
            days: {
                /** Format: date */
                date: string;
                ok: number;
                failed: number;
            }[];
        };
        PreviewPageUnitPrice: {
            amount: number;
            /**
             * @example 1 kg
             * @example 100 ml
             */
            per: string;
        };
        PreviewPage: {
            title: string | null;
            brand: string | null;
            gtin: string | null;
            gtins?: string[];
            mpn: string | null;
            sku: string | null;
            /** @enum {string|null} */
            condition: "new" | "refurbished" | "used" | "damaged" | null;
            seller: string | null;
            isThirdParty: boolean;
            unitPrice: components["schemas"]["PreviewPageUnitPrice"] | null;
        };
        Preview: {
            /** @enum {string} */
            status: "ok" | "failed" | "skipped";
            price: number | null;
            currency: string | null;
            inStock: boolean | null;
            /** @enum {string|null} */
            availability: "in_stock" | "limited" | "out_of_stock" | "pre_order" | "back_order" | "discontinued" | "unknown" | null;
            method: string | null;
            confidence: number | null;
            alternatives: {
                method: string;
                price: number;
                currency: string;
            }[];
            /** @enum {string|null} */
            pageStatus: "priced" | "on_request" | "sold_out" | "gone" | "listing" | "other_product" | "variant_open" | "net_only" | "third_party" | "blocked" | "unread" | null;
            warnings: "selector_dead"[];
            page: components["schemas"]["PreviewPage"] | null;
            candidates: components["schemas"]["PriceCandidate"][];
            errorCode: string | null;
            message: string | null;
            /** @enum {string|null} */
            verdict: "same" | "probably" | "different" | "unknown" | null;
            reasons: components["schemas"]["IdentityEvidence"][];
        };
        PreviewRequest: {
            /**
             * Format: uri
             * @example https://www.mediamarkt.de/p/1.html
             */
            url: string;
            extractor?: components["schemas"]["Extractor"] | null;
            productId?: string | null;
        };
        RepairGroups: {
            items: components["schemas"]["RepairGroup"][];
            nextCursor: string | null;
            count: number;
            pages: number;
            shops: number;
        };
        RepairGroup: {
            competitorId: string;
            competitor: string;
            domain: string;
            /** @enum {string} */
            cause: "nothing_found" | "two_prices" | "layout_changed" | "gone" | "listing" | "other_product" | "variant_open" | "blocked" | "net_only" | "third_party" | "currency" | "no_answer" | "unreadable" | "robots";
            pages: number;
            /** Format: date-time */
            since: string;
            retryId: string | null;
        };
        RepairPageIdentityPage: {
            title: string | null;
            brand: string | null;
            gtin: string | null;
            gtins?: string[];
            mpn: string | null;
            sku: string | null;
            /** @enum {string|null} */
            condition: "new" | "refurbished" | "used" | "damaged" | null;
        };
        RepairPageIdentityConfirmedBy: {
            /** @enum {string} */
            type: "user" | "api_key" | "system";
            id: string;
            name: string;
            /** Format: date-time */
            at: string;
        };
        RepairPageIdentityRejectedBy: {
            /** @enum {string} */
            type: "user" | "api_key" | "system";
            id: string;
            name: string;
            /** Format: date-time */
            at: string;
        };
        RepairPageIdentity: {
            /** @enum {string|null} */
            verdict: "same" | "probably" | "different" | "unknown" | null;
            reasons: components["schemas"]["IdentityEvidence"][];
            page: components["schemas"]["RepairPageIdentityPage"] | null;
            /** Format: date-time */
            checkedAt: string | null;
            confirmedBy: components["schemas"]["RepairPageIdentityConfirmedBy"] | null;
            rejectedBy: components["schemas"]["RepairPageIdentityRejectedBy"] | null;
        };
        RepairPage: {
            id: string;
            productId: string;
            competitorId: string;
            competitor: string;
            domain: string;
            url: string;
            enabled: boolean;
            /** @enum {string} */
            matchType: "exact" | "equivalent";
            packFactor: number;
            /** @enum {string} */
            source: "manual" | "import" | "push" | "discovery";
            noPrice: boolean;
            /** @enum {string} */
            visit: "now" | "scheduled" | "never";
            extractor: components["schemas"]["ExtractorAnswer"] | null;
            currentPrice: number | null;
            currency: string | null;
            inStock: boolean | null;
            /** @example used */
            condition: string | null;
            seller: string | null;
            shipping: number | null;
            /** Format: date-time */
            lastCheckedAt: string | null;
            lastStatus: string | null;
            lastError: string | null;
            warnings: "selector_dead"[];
            identity: components["schemas"]["RepairPageIdentity"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @enum {string} */
            cause: "nothing_found" | "two_prices" | "layout_changed" | "gone" | "listing" | "other_product" | "variant_open" | "blocked" | "net_only" | "third_party" | "currency" | "no_answer" | "unreadable" | "robots";
            /** Format: date-time */
            since: string;
            sku: string;
            title: string;
        };
        Retry: {
            id: string;
            competitorId: string;
            /** @enum {string|null} */
            cause: "nothing_found" | "two_prices" | "layout_changed" | "gone" | "listing" | "other_product" | "variant_open" | "blocked" | "net_only" | "third_party" | "currency" | "no_answer" | "unreadable" | "robots" | null;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            pages: number;
            done: number;
            failing: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        RetryRequest: {
            competitorId: string;
            cause?: string | null;
        };
        ShopRecipeAnswerRecipe: {
            id: string;
            /** @enum {string} */
            source: "taught" | "learned" | "shipped";
            /** @enum {string} */
            status: "active" | "drifting" | "stale" | "off";
            selectors: {
                selector?: string;
                /** @example __NEXT_DATA__ $.props.pageProps.product.price / 100 */
                statePath?: string;
                hits: number;
                agreements: number;
                contradictions: number;
            }[];
            support: number;
            hitRate: number;
            confidenceMost: number;
            /** Format: date-time */
            lastConfirmedAt: string | null;
            taughtBy: string | null;
            taughtFrom: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            competitorId: string;
        };
        ShopRecipeAnswer: {
            recipe: components["schemas"]["ShopRecipeAnswerRecipe"] | null;
            learning: {
                pages: number;
                needed: number;
            };
        };
        RecipeTeaching: {
            token: string;
            selectors: string[];
            tests: components["schemas"]["RecipeTrial"][];
            /** @enum {string} */
            verdict: "same" | "plausible" | "differs" | "nothing";
        };
        RecipeTrialOtherwise: {
            price: number;
            currency: string;
            method: string;
        };
        RecipeTrial: {
            url: string;
            title: string | null;
            text: string | null;
            price: number | null;
            currency: string | null;
            wasPrice: number | null;
            otherwise: components["schemas"]["RecipeTrialOtherwise"] | null;
            errorCode: string | null;
            /** @enum {string} */
            verdict: "same" | "plausible" | "differs" | "nothing";
        };
        TeachRecipeRequest: {
            /**
             * Format: uri
             * @example https://www.mediamarkt.de/p/1.html
             */
            url: string;
            /** @example 1299.95 */
            price?: string | null;
            candidateId?: string | null;
            /** @example EUR */
            currency?: string | null;
        };
        SaveRecipeRequest: {
            token: string;
            force?: boolean;
        };
        StartedLinkCheck: {
            jobId: string;
        };
        /**
         * @example {
         *       "lines": [
         *         {
         *           "sku": "SKU-1",
         *           "url": "https://www.mediamarkt.de/p/1.html"
         *         }
         *       ]
         *     }
         */
        LinkCheckRequest: components["schemas"]["LinkCheckText"] | components["schemas"]["LinkCheckLines"];
        LinkCheckText: {
            /**
             * @example SKU-1;https://www.mediamarkt.de/p/1.html
             *     SKU-2;https://www.mediamarkt.de/p/2.html
             */
            text: string;
        };
        LinkCheckLines: {
            lines: readonly ({
                sku?: string;
                gtin?: string;
                /** Format: uri */
                url: string;
                packFactor?: string | number | null;
            } & {
                [key: string]: unknown;
            })[];
        };
        LinkCheck: {
            id: string;
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            lines: number;
            counts: {
                sure: number;
                check: number;
                wrong: number;
                failed: number;
                waiting: number;
            };
            open: {
                sure: number;
                check: number;
            };
            linked: number;
            /** Format: date-time */
            etaAt: string | null;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        LinkCheckLinePageUnitPrice: {
            amount: number;
            /**
             * @example 1 kg
             * @example 100 ml
             */
            per: string;
        };
        LinkCheckLinePage: {
            title: string | null;
            brand: string | null;
            gtin: string | null;
            gtins?: string[];
            mpn: string | null;
            sku: string | null;
            /** @enum {string|null} */
            condition: "new" | "refurbished" | "used" | "damaged" | null;
            seller: string | null;
            isThirdParty: boolean;
            unitPrice: components["schemas"]["LinkCheckLinePageUnitPrice"] | null;
        };
        LinkCheckLine: {
            line: number;
            sku: string | null;
            /**
             * @example [
             *       "KT-10011"
             *     ]
             */
            nearSkus: string[];
            gtin: string | null;
            url: string;
            /** @example 6 */
            packFactor: number | null;
            /** @enum {string} */
            outcome: "sure" | "check" | "wrong" | "failed";
            /** @enum {string} */
            status: "open" | "linked" | "existing" | "dropped";
            productId: string | null;
            title: string | null;
            competitorId: string | null;
            competitorProductId: string | null;
            /** @enum {string|null} */
            verdict: "same" | "probably" | "different" | "unknown" | null;
            reasons: components["schemas"]["IdentityEvidence"][];
            page: components["schemas"]["LinkCheckLinePage"] | null;
            price: number | null;
            currency: string | null;
            /**
             * @example bad_line
             * @example bad_pack
             * @example bad_url
             * @example unknown_sku
             * @example unknown_gtin
             * @example several_products
             * @example unknown_shop
             * @example shop_off
             * @example gone
             * @example robots_disallowed
             */
            errorCode: string | null;
            message: string | null;
            /** Format: date-time */
            checkedAt: string;
            competitor: string | null;
        };
        AcceptedLinkLines: {
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            linked: number;
            existing: number;
            refused: number;
            refusals: components["schemas"]["RefusedLinkLine"][];
        };
        RefusedLinkLine: {
            line: number;
            /**
             * @example not_found
             * @example conflict
             */
            code: string;
            message: string;
        };
        /**
         * @example {
         *       "outcomes": [
         *         "sure"
         *       ]
         *     }
         */
        AcceptLinkLines: components["schemas"]["AcceptLinkOutcomes"] | components["schemas"]["AcceptNamedLines"];
        AcceptLinkOutcomes: {
            outcomes: readonly string[];
        };
        AcceptNamedLines: {
            lines: readonly (string | number | null)[];
        };
        DroppedLinkLines: {
            changed: number;
        };
        /**
         * @example {
         *       "lines": [
         *         1,
         *         2
         *       ]
         *     }
         */
        DropLinkLines: {
            lines: readonly (string | number | null)[];
            dropped?: boolean;
        };
        MissingShopsOfLines: {
            shops: {
                domain: string;
                lines: number;
            }[];
        };
        MadeShopsOfLines: {
            jobId: string;
            domains: string[];
            lines: number;
        };
        /**
         * @example {
         *       "domains": [
         *         "shop.example"
         *       ]
         *     }
         */
        NewShopsOfLines: {
            domains?: readonly string[];
        };
        Discovery: {
            /** @enum {string} */
            mode: "off" | "suggest" | "automatic";
            sitemaps: "robots" | string[];
            feeds: {
                url: string;
                /** @enum {string} */
                format: "merchant_xml" | "csv";
            }[];
            /** @example https://shop.example/search?q={query} */
            searchTemplate: string | null;
            /**
             * @example [
             *       "/produkte/"
             *     ]
             */
            include: string[];
            /**
             * @example [
             *       "/blog/"
             *     ]
             */
            exclude: string[];
            pagesPerDay: number;
            state: {
                urls: number;
                visited: number;
                products: number;
                /** @enum {string} */
                phase: "off" | "paused" | "idle" | "reading" | "ordering" | "visiting";
                foreign: number;
                etaDays: number | null;
                feeds: components["schemas"]["FeedState"][];
                searched: number;
                /** Format: date-time */
                lastReadAt: string | null;
                lastError: string | null;
            };
        };
        FeedState: {
            url: string;
            /** Format: date-time */
            readAt: string | null;
            entries: number;
            foreign: number;
            isCut: boolean;
            errorCode: string | null;
        };
        DiscoverySettings: {
            mode: string;
            sitemaps?: string | readonly string[];
            feeds?: readonly {
                url: string;
                format: string;
            }[];
            /** @example https://shop.example/search?q={query} */
            searchTemplate?: string | null;
            /**
             * @example [
             *       "/produkte/"
             *     ]
             */
            include?: readonly string[];
            /**
             * @example [
             *       "/blog/"
             *     ]
             */
            exclude?: readonly string[];
            pagesPerDay?: string | number | null;
        };
        MatchSuggestion: {
            id: string;
            product: {
                id: string;
                sku: string;
                title: string;
                brand: string | null;
                gtin: string | null;
                mpn: string | null;
                price: number | null;
                currency: string;
            };
            competitor: {
                id: string;
                displayName: string;
            };
            page: {
                url: string;
                title: string | null;
                brand: string | null;
                gtin: string | null;
                gtins: string[];
                mpn: string | null;
                sku: string | null;
                /** @enum {string|null} */
                condition: "new" | "refurbished" | "used" | "damaged" | null;
                price: number | null;
                currency: string | null;
                /** @enum {string|null} */
                availability: "in_stock" | "limited" | "out_of_stock" | "pre_order" | "back_order" | "discontinued" | "unknown" | null;
                isOpenVariant: boolean;
                pack: number | null;
                /** @enum {string} */
                foundBy: "visit" | "feed";
                /** Format: date-time */
                seenAt: string;
            };
            /** @enum {string} */
            verdict: "same" | "probably" | "different" | "unknown";
            score: number;
            reasons: components["schemas"]["IdentityEvidence"][];
            packFactor: number | null;
            rivals: number;
            /** @enum {string} */
            status: "open" | "accepted" | "rejected" | "superseded";
            /** @enum {string|null} */
            rejectedAs: "other" | "variant" | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            decidedAt: string | null;
        };
        KnownPage: {
            url: string;
            title: string | null;
            brand: string | null;
            gtin: string | null;
            gtins: string[];
            mpn: string | null;
            sku: string | null;
            /** @enum {string|null} */
            condition: "new" | "refurbished" | "used" | "damaged" | null;
            price: number | null;
            currency: string | null;
            /** @enum {string|null} */
            availability: "in_stock" | "limited" | "out_of_stock" | "pre_order" | "back_order" | "discontinued" | "unknown" | null;
            isOpenVariant: boolean;
            pack: number | null;
            /** @enum {string} */
            foundBy: "visit" | "feed";
            /** Format: date-time */
            seenAt: string;
            links: {
                id: string;
                product: {
                    id: string;
                    sku: string;
                    title: string;
                };
            }[];
        };
        SuggestionOutcome: {
            id: string;
            /** @enum {string|null} */
            status: "open" | "accepted" | "rejected" | "superseded" | null;
            errorCode: string | null;
            message: string | null;
        };
        BulkSuggestions: {
            action: string;
            ids: readonly string[];
        };
        SuggestionCounts: {
            open: number;
            same: number;
            probably: number;
            unknown: number;
            isCut: boolean;
        };
        AcceptSuggestion: {
            /** @example 6 */
            packFactor?: string | number | null;
        };
        RejectSuggestion: {
            as?: string;
        };
        AlertPage: {
            items: components["schemas"]["Alert"][];
            nextCursor: string | null;
            count: number;
        };
        CreatedWebhook: {
            id: string;
            url: string;
            events: string[];
            enabled: boolean;
            /** Format: date-time */
            failingSince: string | null;
            /** Format: date-time */
            disabledAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw */
            secret: string;
        };
        NewWebhook: {
            /** @example https://erp.example/hooks/kurant */
            url: string;
            events: readonly string[];
            enabled?: boolean;
        };
        WebhookPage: {
            items: components["schemas"]["Webhook"][];
            nextCursor: string | null;
            count: number;
        };
        Webhook: {
            id: string;
            url: string;
            events: string[];
            enabled: boolean;
            /** Format: date-time */
            failingSince: string | null;
            /** Format: date-time */
            disabledAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        WebhookPatch: {
            url?: string;
            events?: readonly string[];
            enabled?: boolean | null;
        };
        DeliveryPage: {
            items: components["schemas"]["Delivery"][];
            nextCursor: string | null;
            count: number;
        };
        Delivery: {
            id: string;
            eventId: string;
            /** @example price.changed */
            type: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        DeliveryAttempt: {
            /** Format: date-time */
            at: string;
            httpStatus: number | null;
            errorCode: string | null;
            message: string | null;
            durationMs: number;
        };
    };
    responses: never;
    parameters: {
        "Idempotency-Key": string;
        "If-Match": string;
        Prefer: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
