import { createHmac } from "node:crypto";
import { AppError, type WithVersion } from "#shared/errors.ts";

/**
 * A kind of item with versions: its name, its presenter, and the view's fields that a decision ignores. All other
 * fields count, including future ones.
 */
export type Versioned<Row, View extends { id: string }> = {
  kind: string;
  present: (row: Row) => View;
  ignored: readonly (keyof View)[];
};

export type Unversioned<View> = Omit<View, "version">;

/**
 * Characters per field: 48 bits of a keyed digest. Without the key it is impossible to search for another value with the same
 * digest.
 */
const CHARACTERS = 8;

/** Returns the fields that count, in the order of their digests. */
const fieldsOf = <View extends object>(view: View, ignored: readonly (keyof View)[]) =>
  (Object.keys(view) as (keyof View & string)[]).filter((field) => !ignored.includes(field)).sort();

/** Maps a row to the administrator's view with its version. */
export function withVersion<Row, View extends { id: string }>(
  secret: string,
  { kind, present, ignored }: Versioned<Row, View>,
  row: Row,
): View & WithVersion {
  const view = present(row);
  const parts = fieldsOf(view, ignored).map((field) =>
    createHmac("sha256", secret)
      .update(JSON.stringify(["version", kind, view.id, field, view[field] ?? null]))
      .digest("base64url")
      .slice(0, CHARACTERS),
  );
  return { ...view, version: parts.join("") };
}

/**
 * Compares a locked row with the shown version.
 * @throws AppError version_conflict
 */
export type AssertUnchanged<Row> = (row: Row) => void;

/**
 * Creates the check that a command calls in its transaction with the locked row (specification, section 4.4).
 * @param version sent back with the decision
 * @returns a function that throws AppError version_conflict, with the current view and the changed fields
 */
export const assertUnchanged =
  <Row, View extends { id: string }>(
    secret: string,
    subject: Versioned<Row, View>,
    version: string,
  ): AssertUnchanged<Row> =>
  (row) => {
    const current = withVersion(secret, subject, row);
    if (current.version === version) return;
    const part = (whole: string, at: number) => whole.slice(at * CHARACTERS, (at + 1) * CHARACTERS);
    // A version of another length cannot be compared: it is older than a field, or it is not ours.
    const comparable = version.length === current.version.length;
    const fields = fieldsOf(current as View, [...subject.ignored, "version" as keyof View]);
    const changed = comparable ? fields.filter((_, at) => part(version, at) !== part(current.version, at)) : [];
    throw new AppError("version_conflict", { details: { changed }, current });
  };
