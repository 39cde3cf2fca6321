/**
 * Checks a fake against the vendor's published API description: our requests and the fake's responses.
 *
 * `deviations.ts` lists the allowed differences. Every other difference is a violation.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { z } from "zod";
import type { FakeAnswer, FakeRequest } from "../fake-server.ts";
import { DEVIATIONS, UNDESCRIBED } from "./deviations.ts";

type Vendor = keyof typeof DEVIATIONS;

type Schema = Record<string, unknown>;
type Content = { content?: { "application/json": { schema: Schema } } };
type Parameter = { name: string; in: "path" | "query" | "header"; required?: boolean; schema: Schema };
type Operation = {
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
type Violation = { rule: string; at: string; value: unknown };

const FORMATS = {
  uri: URL.canParse,
  email: (text: string) => z.email().safeParse(text).success,
  "date-time": (text: string) => z.iso.datetime({ offset: true }).safeParse(text).success,
  uuid: (text: string) => z.uuid().safeParse(text).success,
};

const schemaOf = ({ content }: Content = {}) => content?.["application/json"].schema;

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
function descriptionOf(vendor: Vendor) {
  const description = known.get(vendor) ?? read(vendor);
  known.set(vendor, description);
  return description;
}

/** Headers that every HTTP client sends. API descriptions do not list them. */
const ORDINARY_HEADERS = new Set(
  `accept accept-encoding accept-language authorization connection content-length content-type host sec-fetch-mode
   user-agent`.split(/\s+/),
);

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the body of a response as a client parses it, or undefined without one. */
const bodyOf = ({ body }: FakeAnswer): unknown => (body === undefined ? undefined : JSON.parse(JSON.stringify(body)));

/** Converts a parameter to the type of its schema. */
const typed = (text: string, { schema }: Parameter): unknown =>
  schema.type === "integer" && /^-?\d+$/.test(text) ? Number(text) : text;

export type Contract = ReturnType<typeof openContract>;

export function openContract(vendor: Vendor) {
  const { operations, misfits, fits } = descriptionOf(vendor);

  const isAllowed = ({ rule, value }: Violation): boolean =>
    DEVIATIONS[vendor].some((one) => one.rule === rule && fits(one.allowed, value));

  function ofParameters({ operationId, parameters }: Operation, where: Parameter["in"], given: [string, string][]) {
    const described = new Map(
      parameters.filter((one) => one.in === where).map((one) => [one.name.toLowerCase(), one] as const),
    );
    const names = new Set(given.map(([name]) => name.toLowerCase()));
    const missing = [...described].filter(([name, { required }]) => required && !names.has(name));
    return [
      ...missing.map(([name]) => ({ rule: `${operationId}/${where}/${name}/required`, at: where, value: undefined })),
      ...given.flatMap(([name, text]): Violation[] => {
        const parameter = described.get(name.toLowerCase());
        const place = `${operationId}/${where}/${name}`;
        if (!parameter) return [{ rule: place, at: where, value: text }];
        return misfits(parameter.schema, typed(text, parameter), place, `${where} ${name}`);
      }),
    ];
  }

  function ofRequest(operation: Operation, ids: Record<string, string>, request: FakeRequest): Violation[] {
    const { query, headers, body } = request;
    const { operationId, requestBody } = operation;
    const more = Object.entries(headers).filter(([name]) => !ORDINARY_HEADERS.has(name));
    const found = [
      ...ofParameters(
        operation,
        "path",
        Object.entries(ids).map(([name, text]) => [name, decodeURIComponent(text)]),
      ),
      ...ofParameters(operation, "query", [...query]),
      ...ofParameters(
        operation,
        "header",
        more.map(([name, text]) => [name, String(text)]),
      ),
    ];
    const differs = (what: string, value: unknown) =>
      found.push({ rule: `${operationId}/${what}`, at: "request", value });
    if (!/^Bearer \S+$/.test(headers.authorization ?? "")) differs("authorization", "no bearer token");
    const schema = schemaOf(requestBody);
    if (!schema && body) differs("requestBody", body);
    if (schema && headers["content-type"] !== "application/json") differs("content-type", headers["content-type"]);
    if (schema) found.push(...misfits(schema, jsonOf(body), operationId, "request"));
    return found;
  }

  function ofAnswer({ operationId, responses }: Operation, answer: FakeAnswer): Violation[] {
    const described = responses[answer.status] ?? responses.default;
    const body = bodyOf(answer);
    const at = "answer";
    if (!described) return [{ rule: `${operationId}/status/${answer.status}`, at, value: body }];
    const schema = schemaOf(described);
    if (schema) return misfits(schema, body, `${operationId}/${answer.status}`, at);
    const isEmpty = answer.status !== 204 || body === undefined;
    return isEmpty ? [] : [{ rule: `${operationId}/204/body`, at, value: body }];
  }

  function violationsOf(request: FakeRequest, answer: FakeAnswer | null): Violation[] {
    const { method, path } = request;
    const undescribed = UNDESCRIBED[vendor].find(({ call }) => call.test(`${method} ${path}`));
    if (undescribed) {
      const schema = answer?.status === 200 && undescribed.answer;
      return schema ? misfits(schema, bodyOf(answer), path, "answer") : [];
    }
    const described = operations.find(({ call, pattern }) => call.startsWith(`${method} `) && pattern.test(path));
    if (!described) return [{ rule: "a call that is neither described nor listed", at: "request", value: path }];
    const { pattern, operation } = described;
    const ids = pattern.exec(path)?.groups ?? {};
    return [...ofRequest(operation, ids, request), ...(answer ? ofAnswer(operation, answer) : [])];
  }

  const contract = {
    violations: [] as string[],

    /**
     * Checks a request, and its response unless it is null.
     * @returns the violations, which are also added to `violations`
     */
    check(request: FakeRequest, answer: FakeAnswer | null): string[] {
      const written = violationsOf(request, answer)
        .filter((violation) => !isAllowed(violation))
        .map(({ rule, at, value }) => {
          const shown = JSON.stringify(value)?.slice(0, 200);
          return `${request.method} ${request.path}: ${rule}, at ${at}: ${shown}`;
        });
      contract.violations.push(...written);
      return written;
    },
  };
  return contract;
}
