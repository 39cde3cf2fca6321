/** A vendor's published description (OpenAPI), as far as our calls need it: what it says, and why a value does not fit. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { z } from "zod";
import { DEVIATIONS, UNDESCRIBED } from "./deviations.ts";

export type Vendor = keyof typeof DEVIATIONS;

type Schema = Record<string, unknown>;
type Content = { content?: { "application/json": { schema: Schema } } };
export type Parameter = { name: string; in: "path" | "query" | "header"; required?: boolean; schema: Schema };
export type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** What differs: the place in the description ("Payment/status/enum"), where it was found, and the value there. */
export type Violation = { rule: string; at: string; value: unknown };

const FORMATS = {
  uri: URL.canParse,
  email: (text: string) => z.email().safeParse(text).success,
  "date-time": (text: string) => z.iso.datetime({ offset: true }).safeParse(text).success,
  uuid: (text: string) => z.uuid().safeParse(text).success,
};

export const schemaOf = ({ content }: Content = {}) => content?.["application/json"].schema;

/** Closes every object that names its fields: one that is not named is a misspelt one. */
function closeObjects(schema: unknown): void {
  if (!schema || typeof schema !== "object") return;
  const { type, properties } = schema as Schema;
  if (type === "object" && properties && !("additionalProperties" in schema))
    Object.assign(schema, { additionalProperties: false });
  for (const part of Object.values(schema)) closeObjects(part);
}

/** The place of each schema inside a document, without the words that all places have. */
function placesOf({ components }: Document): Map<unknown, string> {
  const places = new Map<unknown, string>();
  const add = (schema: unknown, place: string) => {
    if (!schema || typeof schema !== "object") return;
    places.set(schema, place);
    for (const [key, part] of Object.entries(schema)) add(part, key === "properties" ? place : `${place}/${key}`);
  };
  for (const [name, schema] of Object.entries(components.schemas)) add(schema, name);
  return places;
}

/** The described calls; "search" is no id, so those without an id come first. */
const operationsOf = ({ paths }: Document) =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const pattern = path.replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>[^/]+)`);
        return { call: `${method.toUpperCase()} ${path}`, pattern: new RegExp(`^${pattern}$`), operation };
      }),
    )
    .sort((a, b) => Number(a.call.includes("{")) - Number(b.call.includes("{")));

function read(vendor: Vendor) {
  /** References as the validator knows them. */
  const local = (text: string) => JSON.parse(text.replaceAll('"#/components/schemas/', `"${vendor}#/$defs/`));
  const document: Document = local(readFileSync(join(import.meta.dirname, `${vendor}.json`), "utf8"));
  closeObjects(document.components.schemas);
  const places = placesOf(document);
  const operations = operationsOf(document);
  const ajv = new Ajv({
    strict: true,
    strictTypes: false,
    allErrors: true,
    verbose: true,
    // Compiling takes longer than all the checks.
    code: { optimize: false },
    formats: FORMATS,
  });
  ajv.addSchema({ $id: vendor, $defs: document.components.schemas });

  const validators = new Map<object, ValidateFunction>();
  const compile = (schema: object | undefined) => {
    if (schema) validators.set(schema, ajv.compile(local(JSON.stringify(schema))));
  };
  // At once: a client that waits for its first answer would run out of time.
  for (const { operation } of operations) {
    for (const { schema } of operation.parameters) compile(schema);
    compile(schemaOf(operation.requestBody));
    for (const response of Object.values(operation.responses)) compile(schemaOf(response));
  }
  for (const { allowed } of DEVIATIONS[vendor]) compile(allowed);
  for (const { answer } of UNDESCRIBED[vendor]) compile(answer);

  const errorsOf = (schema: object, value: unknown): ErrorObject[] => {
    const validate = validators.get(schema)!;
    return validate(value) ? [] : validate.errors!;
  };
  return {
    operations,
    fits: (schema: object, value: unknown) => errorsOf(schema, value).length === 0,
    /** Why a value does not fit a schema. @param place of the schema, where it is in no component */
    misfits(schema: object, value: unknown, place: string, at: string): Violation[] {
      const errors = errorsOf(schema, value);
      const alternatives = errors.filter(({ keyword }) => keyword === "oneOf").map(({ instancePath }) => instancePath);
      const isOfAlternative = ({ keyword, instancePath }: ErrorObject) =>
        keyword !== "oneOf" && alternatives.some((alternative) => instancePath.startsWith(alternative));
      return errors
        .filter((error) => !isOfAlternative(error))
        .map(({ keyword, params, parentSchema, instancePath, data }) => {
          const name = params.additionalProperty ?? params.missingProperty;
          return {
            rule: [places.get(parentSchema) ?? place, keyword, ...(name ? [name] : [])].join("/"),
            at: `${at}${instancePath}`,
            value: params.additionalProperty ? (data as Schema)[params.additionalProperty] : data,
          };
        });
    },
  };
}

const known = new Map<Vendor, ReturnType<typeof read>>();

/** A vendor's description, read once. */
export function descriptionOf(vendor: Vendor) {
  const description = known.get(vendor) ?? read(vendor);
  known.set(vendor, description);
  return description;
}
