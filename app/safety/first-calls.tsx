import { PhoneIcon } from "#app/ui/more-icons.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import { callWords, type HelpLineGroupsView, type HelpLineView, keyOf, telephone, whenAndFor } from "./help-line.ts";
import "./help-lines.css";

/** The lines of a country to call first: a country can have one number for landlines and one for mobiles, and needs both. */
export const firstCalls = ({ first, emergency }: Pick<HelpLineGroupsView, "first" | "emergency">) =>
  [...first, ...emergency.slice(0, 1)].filter((line) => line.dial_number !== null);

/** A button that calls a line: its number and one line of words. */
export function FirstCall({ line, country }: { line: HelpLineView; country?: string }) {
  return (
    <a className="first-call" href={telephone(line.dial_number!)}>
      <PhoneIcon />
      <span className="first-call__to">
        <span className="visually-hidden">Llamar al </span>
        <b className="digits">{line.shown_number}</b>
        <span className="first-call__who">
          {callWords(line)}
          {country && <span className="visually-hidden">, {country}</span>}
        </span>
      </span>
    </a>
  );
}

/** Buttons to call the first lines of a country and its emergencies. */
export const CallList = ({ groups }: { groups: HelpLineGroupsView }) => (
  <ul className="first-calls">
    {firstCalls(groups).map((line) => (
      <li key={keyOf(line)}>
        <FirstCall line={line} />
      </li>
    ))}
  </ul>
);

/**
 * The same, with all that limits them below.
 * @param country the country of the lines
 */
export function FirstCalls({ groups, country }: { groups: HelpLineGroupsView; country: string }) {
  const notes = groups.first.map((line) =>
    [line.name.replace(/, desde .*/, ""), whenAndFor(line), line.reach].filter(Boolean).join(". "),
  );
  return (
    <>
      <CallList groups={groups} />
      <p className="first-calls__notes">
        {[...new Set(notes)].map((note) => `${note}. `)}
        Son líneas de {country}: atienden personas, no {PRODUCT_NAME}.
      </p>
    </>
  );
}
