/**
 * A vendor's published OpenAPI description, limited to our calls, and the differences between a value and its schema.
 */
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

/** A difference: its place in the description ("Payment/status/enum"), its place in the call, and the value. */
export type Violation = { rule: string; at: string; value: unknown };

const FORMATS = {
  uri: URL.canParse,
  email: (text: string) => z.email().safeParse(text).success,
  "date-time": (text: string) => z.iso.datetime({ offset: true }).safeParse(text).success,
  uuid: (text: string) => z.uuid().safeParse(text).success,
};

export const schemaOf = ({ content }: Content = {}) => content?.["application/json"].schema;

/** Forbids additional properties in every object that names its properties, so that misspelt names are detected. */
function closeObjects(schema: unknown): void {
  if (!schema || typeof schema !== "object") return;
  const { type, properties } = schema as Schema;
  if (type === "object" && properties && !("additionalProperties" in schema))
    Object.assign(schema, { additionalProperties: false });
  for (const part of Object.values(schema)) closeObjects(part);
}

/** Returns the place of each schema in a document, without the words that all places share. */
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

/** Returns the described calls. Paths without an id are first, because "search" would match an id. */
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
  /** Rewrites references for the validator. */
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
    // Optimization takes longer than all checks.
    code: { optimize: false },
    formats: FORMATS,
  });
  ajv.addSchema({ $id: vendor, $defs: document.components.schemas });

  const validators = new Map<object, ValidateFunction>();
  const compile = (schema: object | undefined) => {
    if (schema) validators.set(schema, ajv.compile(local(JSON.stringify(schema))));
  };
  // Compiles now, because a client that waits for its first response would time out.
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
    /** Returns the differences between a value and a schema. @param place of a schema outside of the components */
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

/** Returns a vendor's description. Each file is read only once. */
export function descriptionOf(vendor: Vendor) {
  const description = known.get(vendor) ?? read(vendor);
  known.set(vendor, description);
  return description;
}
