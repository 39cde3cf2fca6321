import type { ReactNode } from "react";
import { createPath, type LinkProps, useNavigation, useResolvedPath } from "react-router";
import { ButtonLink } from "./button.tsx";

interface LoadMoreProps {
  /** URL of the next page. Null to render nothing. */
  to: LinkProps["to"] | null;
  /** True while a fetcher loads. Otherwise the state of the navigation to `to` counts. */
  busy?: boolean;
  onClick?: LinkProps["onClick"];
  children?: ReactNode;
}

/** Link "Cargar más" at the end of a list. Works without JavaScript and in a new tab. */
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
