import { createHmac } from "node:crypto";
import { AppError, type WithVersion } from "#shared/errors.ts";
import { operation } from "./sessions/operations.ts";

/**
 * A kind of item with versions: its name, its presenter, and the view's fields that a decision ignores. All other
 * fields count, including future ones.
 */
export type Versioned<Row, View extends { id: string }> = {
  kind: string;
  present: (row: Row) => View;
  ignored?: readonly (keyof View)[];
};

export type Unversioned<View> = Omit<View, "version">;

/**
 * Maps a row to the administrator's view with its version, a digest of the fields that count.
 *
 * The digest has a key, so that the administrator cannot search for another value with the same digest.
 */
export function withVersion<Row, View extends { id: string }>(
  secret: string,
  { kind, present, ignored = [] }: Versioned<Row, View>,
  row: Row,
): View & WithVersion {
  const view = present(row);
  const fields = (Object.keys(view) as (keyof View)[]).filter((field) => !ignored.includes(field)).sort();
  const counted = fields.map((field) => [field, view[field]]);
  const version = createHmac("sha256", secret)
    .update(JSON.stringify(["version", kind, counted]))
    .digest("base64url");
  return { ...view, version };
}

/**
 * Compares a locked row with the shown version.
 * @throws AppError version_conflict
 */
export type AssertUnchanged<Row> = (row: Row) => void;

/**
 * Passes `assertUnchanged` to the handler of a decision, whose command calls it in its transaction (specification,
 * section 4.2). The error contains the current view.
 */
export const asShown = <Row, View extends { id: string }>(subject: Versioned<Row, View>) =>
  operation.middleware(({ context, next }, input: { version: string }) => {
    const assertUnchanged: AssertUnchanged<Row> = (row) => {
      const current = withVersion(context.config.secret, subject, row);
      if (current.version !== input.version) throw new AppError("version_conflict", { current });
    };
    return next({ context: { assertUnchanged } });
  });
