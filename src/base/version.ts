/** Of the program, as `--version` and `--help` say it; the OpenAPI documents count their own. */
export const VERSION = "1.0.0";
