import { createHmac } from "node:crypto";
import { AppError, type WithVersion } from "#shared/errors.ts";

/**
 * A kind of item with versions: its name, how a row is presented, and which fields of that view a decision ignores. All
 * other fields count, including ones added later.
 */
export type Versioned<Row, View extends { id: string }> = {
  kind: string;
  present: (row: Row) => View;
  ignored: readonly (keyof View)[];
};

/** A view before its version is added. */
export type Unversioned<View> = Omit<View, "version">;

/** 48 bits of a keyed digest for each field: without the key no one can search for another value with the same digest. */
const CHARACTERS = 8;

/** The fields that count, in the order of their digests. */
const fieldsOf = <View extends object>(view: View, ignored: readonly (keyof View)[]) =>
  (Object.keys(view) as (keyof View & string)[]).filter((field) => !ignored.includes(field)).sort();

/** A row as it is shown to the administrator who decides about it, with the version of what is shown. */
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

/** Compares a row, read again under its lock, with what was shown. @throws AppError changed_meanwhile */
export type RefuseIfChanged<Row> = (row: Row) => void;

/**
 * Makes the check that a command calls in its transaction, with the row locked and read again (specification, section 4.4):
 * it refuses when the row has changed since it was shown.
 * @param version sent back with the decision
 * @returns a function that throws AppError changed_meanwhile, with the current view and the names of the changed fields
 */
export const refuseIfChanged =
  <Row, View extends { id: string }>(
    secret: string,
    subject: Versioned<Row, View>,
    version: string,
  ): RefuseIfChanged<Row> =>
  (row) => {
    const current = withVersion(secret, subject, row);
    if (current.version === version) return;
    const part = (whole: string, at: number) => whole.slice(at * CHARACTERS, (at + 1) * CHARACTERS);
    // A version of another length cannot be compared: it is older than a field, or not ours.
    const comparable = version.length === current.version.length;
    const fields = fieldsOf(current as View, [...subject.ignored, "version" as keyof View]);
    const changed = comparable ? fields.filter((_, at) => part(version, at) !== part(current.version, at)) : [];
    throw new AppError("changed_meanwhile", { facts: { changed }, current });
  };
