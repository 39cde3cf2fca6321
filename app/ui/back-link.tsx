import { Link, type LinkProps } from "react-router";
import { BackIcon } from "./icon.tsx";

/** Link above a page's title to the page before it. */
export const BackLink = ({ children, ...link }: Omit<LinkProps, "className">) => (
  <Link className="icon-link" {...link}>
    <BackIcon size="s" />
    {children}
  </Link>
);
