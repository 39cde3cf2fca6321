import { href, Link } from "react-router";

export const GoldLink = ({
  of: { id, full_name },
  children,
}: {
  of: { id: string; full_name: string };
  children: string;
}) => (
  <Link to={href("/admin/psicologo/:id/gold", { id })}>
    {children}
    <span className="visually-hidden">: {full_name}</span>
  </Link>
);
