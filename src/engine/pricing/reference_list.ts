/** Lists of all triggers, actions and their fields, made from schemas (docs/decisions/rules.md). */
import { z } from "zod";
import { ACTION_TYPES } from "./actions.ts";

import { TRIGGERS } from "./triggers.ts";

const Words = z.object({
  value: z.string().describe("The value as it is written in rules"),
  label: z.string(),
  description: z.string(),
});

export const ReferenceField = z.object({
  name: z.string().describe(
    "The path of the field in a rule: dots separate the fields of objects, `[]` marks a list",
  ),
  label: z.string(),
  description: z.string(),
  type: z.enum(["number", "integer", "boolean", "string", "array", "object"]),
  required: z.boolean(),
  nullable: z.boolean().describe("Whether null has a meaning of its own"),
  default: z.unknown(),
  minimum: z.number().nullable(),
  maximum: z.number().nullable(),
  values: z.array(Words).nullable().describe("The allowed values; null: any"),
}).meta({ id: "ReferenceField" });

export type ReferenceField = Readonly<z.output<typeof ReferenceField>>;

export const ReferenceEntry = Words.extend({
  fields: z.array(ReferenceField).describe("The fields that can be set with it"),
})
  .meta({ id: "ReferenceEntry" });

export type ReferenceEntry = Readonly<z.output<typeof ReferenceEntry>>;

export function listTriggers(): ReferenceEntry[] {
  return TRIGGERS.map((trigger) => ({ ...Words.parse(trigger), fields: fieldsOf(trigger.fields) }));
}

export function listActions(): ReferenceEntry[] {
  return ACTION_TYPES.map((type) => ({ ...Words.parse(type), fields: fieldsOf(type.fields) }));
}

const Form = z.object({
  type: z.union([z.string(), z.array(z.string())]).transform((type) => [type].flat()).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  "x-words": z.array(Words).optional(),
});
const Property = Form.extend({
  title: z.string().default(""),
  description: z.string().default(""),
  anyOf: z.array(Form).optional(),
});
const FieldType = ReferenceField.shape.type;

function fieldsOf({ shape }: z.ZodObject, before = ""): ReferenceField[] {
  return Object.entries(shape).filter(([, field]) => !(field instanceof z.ZodLiteral))
    .flatMap(([own, field]) => {
      const property = Property.parse(z.toJSONSchema(field, { io: "input" }));
      const form = property.anyOf?.find(({ type }) => type?.[0] !== "null") ?? property;
      const absent = z.safeParse(field, undefined);
      const values = form.enum?.map((value) => ({ value, label: value, description: "" }));
      const object = objectIn(field);
      const name = before + own;
      const shown = {
        name,
        label: property.title,
        description: property.description,
        type: FieldType.parse(form.type?.[0] ?? (object && "object")),
        required: !absent.success,
        nullable: z.safeParse(field, null).data === null,
        default: absent.data ?? null,
        minimum: form.minimum ?? null,
        maximum: form.maximum ?? null,
        values: form["x-words"] ?? values ?? null,
      };
      if (object === null) return [shown];
      return [shown, ...fieldsOf(object, `${name}${shown.type === "array" ? "[]" : ""}.`)];
    });
}

function objectIn(field: unknown): z.ZodObject | null {
  if (field instanceof z.ZodObject) return field;
  if (field instanceof z.ZodArray) return objectIn(field.element);
  if (field instanceof z.ZodPipe) return objectIn(field.in);
  const isWrapped = field instanceof z.ZodNullable || field instanceof z.ZodOptional ||
    field instanceof z.ZodDefault || field instanceof z.ZodPrefault;
  return isWrapped ? objectIn(field.unwrap()) : null;
}
