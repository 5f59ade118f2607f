/** A schema of the document alone: one of zod would make the framework parse the form in memory. */
const binary = { type: "string", format: "binary" } as const;

/** The bodies of an upload, for the document; the handler reads them as a stream. */
export const UPLOAD_BODY = {
  required: true,
  description:
    "XML, CSV, XLSX, JSON or NDJSON, any of them in gzip or ZIP, or a form with any number of " +
    "files (`multipart/form-data`). What a file is decides its content, not its name; what is sent " +
    "as XML (`application/xml`, `text/xml`) must be XML",
  // Generated clients know one type of body per operation; the others are named in the description.
  content: { "application/octet-stream": { schema: binary } },
} as const;
