import { Link, type LinkProps } from "react-router";
import { Icon } from "./icon.tsx";

export const BackLink = ({ children, ...link }: Omit<LinkProps, "className">) => (
  <Link className="icon-link" {...link}>
    <Icon name="back" size="s" />
    {children}
  </Link>
);
