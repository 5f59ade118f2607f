/** The version of the service. The OpenAPI documents have a version of their own. */
export const VERSION = "1.0.0";
