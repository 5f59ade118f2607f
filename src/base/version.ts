/** Version of Kurant; the OpenAPI documents have their own version. */
export const VERSION = "1.0.0";
