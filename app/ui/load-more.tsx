import type { ReactNode } from "react";
import { createPath, type LinkProps, useNavigation, useResolvedPath } from "react-router";
import { ButtonLink } from "./button.tsx";

interface LoadMoreProps {
  /** Address of the page with more; null when there is no more, and nothing is shown. */
  to: LinkProps["to"] | null;
  /** Loading by other means than a navigation to `to` (a fetcher). */
  busy?: boolean;
  onClick?: LinkProps["onClick"];
  children?: ReactNode;
}

/** "Cargar más" at the end of a list: a link, so it works without JavaScript and can be opened elsewhere. */
export function LoadMore({ to, ...rest }: LoadMoreProps) {
  return to === null ? null : <LoadMoreLink to={to} {...rest} />;
}

function LoadMoreLink({ to, busy, onClick, children = "Cargar más" }: LoadMoreProps & { to: LinkProps["to"] }) {
  const { location } = useNavigation();
  const target = createPath(useResolvedPath(to));
  const loading = busy ?? (location !== undefined && createPath({ ...location, hash: "" }) === target);
  return (
    <p className="pagination">
      <ButtonLink
        to={to}
        variant="soft"
        preventScrollReset
        busy={loading}
        onClick={(event) => {
          if (loading) event.preventDefault();
          else onClick?.(event);
        }}
      >
        {children}
      </ButtonLink>
    </p>
  );
}
