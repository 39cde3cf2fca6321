import { useId } from "react";
import { Link } from "react-router";
import "./centered-page-links.css";

type Props = { title: string; links: readonly { when: string; to: string; what: string }[] };

export function CenteredPageLinks({ title, links }: Props) {
  const id = useId();
  return (
    <section className="centered-page__after centered-page__links" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <dl>
        {links.map(({ when, to, what }) => (
          <div key={to} className="row row--apart">
            <dt>{when}</dt>
            <dd>
              <Link className="tap-link" to={to}>
                {what}
              </Link>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
