import { data } from "react-router";
import type { ErrorBody } from "#shared/errors.ts";

/** Every address that is not ours ends at the error page of `app/routes/layout.tsx`. */
export function loader(): never {
  throw data<ErrorBody>({ code: "not_found" }, { status: 404 });
}

export const action = loader;

export default function NotFound() {
  return null;
}
