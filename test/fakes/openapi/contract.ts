/**
 * Checks a fake against the vendor's published API description: our requests and the fake's responses.
 *
 * `deviations.ts` lists the allowed differences. Every other difference is a violation.
 */
import type { FakeAnswer, FakeRequest } from "../fake-server.ts";
import { descriptionOf, type Operation, type Parameter, schemaOf, type Vendor, type Violation } from "./description.ts";
import { DEVIATIONS, UNDESCRIBED } from "./deviations.ts";

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
function bodyOf({ body, headers }: FakeAnswer): unknown {
  if (body === undefined) return undefined;
  const isJson = typeof body === "string" && /json/.test(headers?.["content-type"] ?? "");
  return jsonOf(isJson ? body : JSON.stringify(body));
}

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
