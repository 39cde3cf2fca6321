import { Link, type LinkProps } from "react-router";
import { Icon } from "./icon.tsx";

/** Link above a page's title to the page before it. */
export const BackLink = ({ children, ...link }: Omit<LinkProps, "className">) => (
  <Link className="icon-link" {...link}>
    <Icon name="back" size="s" />
    {children}
  </Link>
);
