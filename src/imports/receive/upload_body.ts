/** A schema of the document alone: one of zod would make the framework parse the form in memory. */
const binary = { type: "string", format: "binary" } as const;

/** The bodies of an upload, for the document; the handler reads them as a stream. */
export const UPLOAD_BODY = {
  required: true,
  description:
    "XML, a ZIP archive of XML files, or a form with any number of either. What a file " +
    "is decides its content, not its name",
  content: {
    "application/xml": { schema: binary },
    "text/xml": { schema: binary },
    "application/zip": { schema: binary },
    "multipart/form-data": { schema: { type: "object", properties: { file: binary } } },
  },
} as const;
