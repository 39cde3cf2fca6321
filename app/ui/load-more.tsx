import { createPath, useNavigation, useResolvedPath } from "react-router";
import { ButtonLink } from "./button.tsx";

export function LoadMore({ to, children }: { to: string | null; children: string }) {
  const { location } = useNavigation();
  const target = createPath(useResolvedPath(to ?? ""));
  if (to === null) return null;
  const loading = location !== undefined && createPath({ ...location, hash: "" }) === target;
  return (
    <p className="row pagination">
      <ButtonLink
        to={to}
        variant="soft"
        preventScrollReset
        busy={loading}
        onClick={(event) => loading && event.preventDefault()}
      >
        {children}
      </ButtonLink>
    </p>
  );
}
