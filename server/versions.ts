import { createHmac } from "node:crypto";
import { AppError, type Shown } from "#shared/errors.ts";

/**
 * What a decision is about: the name of the kind, how a row of it is shown, and which fields of that view a decision does not
 * look at. Every other field counts, one that is added later too.
 */
export type Subject<Row, View extends { id: string }> = {
  kind: string;
  present: (row: Row) => View;
  aside: readonly (keyof View)[];
};

/** 48 bits of a keyed digest for each field: nobody without the key can look for another value with the same ones. */
const CHARACTERS = 8;

/** The fields that count, in the order of their parts. */
const fieldsOf = <View extends object>(view: View, aside: readonly (keyof View)[]) =>
  (Object.keys(view) as (keyof View & string)[]).filter((field) => !aside.includes(field)).sort();

/** A row as it is shown to whoever decides about it, with the version of what is shown. */
export function shown<Row, View extends { id: string }>(
  secret: string,
  { kind, present, aside }: Subject<Row, View>,
  row: Row,
): View & Shown {
  const view = present(row);
  const parts = fieldsOf(view, aside).map((field) =>
    createHmac("sha256", secret)
      .update(JSON.stringify(["version", kind, view.id, field, view[field] ?? null]))
      .digest("base64url")
      .slice(0, CHARACTERS),
  );
  return { ...view, version: parts.join("") };
}

/**
 * Makes what a command calls before it decides, in its transaction, with the row locked and read anew (specification,
 * section 4.4): it refuses when the row is not as it was shown.
 * @param version as it came back with the decision
 * @returns throws AppError changed_meanwhile, with the view as it is now and the names of the fields that changed
 */
export const asShown =
  <Row, View extends { id: string }>(secret: string, subject: Subject<Row, View>, version: string) =>
  (row: Row): void => {
    const current = shown(secret, subject, row);
    if (current.version === version) return;
    const part = (whole: string, at: number) => whole.slice(at * CHARACTERS, (at + 1) * CHARACTERS);
    // Of a version of another length nothing can be told: made before a field was added, or by nobody.
    const comparable = version.length === current.version.length;
    const fields = fieldsOf(current as View, [...subject.aside, "version" as keyof View]);
    const changed = comparable ? fields.filter((_, at) => part(version, at) !== part(current.version, at)) : [];
    throw new AppError("changed_meanwhile", { facts: { changed }, current });
  };
