import { PhoneIcon } from "#app/ui/more-icons.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import {
  callWords,
  type HelpLineGroupsView,
  type HelpLineView,
  helpLineKey,
  hoursAndCost,
  telHref,
} from "./help-line.ts";
import "./help-lines.css";

/** Returns the lines to call first. A country may have one number for landlines and one for mobiles, and needs both. */
export const firstCalls = ({ first, emergency }: Pick<HelpLineGroupsView, "first" | "emergency">) =>
  [...first, ...emergency.slice(0, 1)].filter((line) => line.dial_number !== null);

export function FirstCall({ line, country }: { line: HelpLineView; country?: string }) {
  return (
    <a className="quick-dial__item" href={telHref(line.dial_number!)}>
      <PhoneIcon />
      <span className="quick-dial__number">
        <span className="visually-hidden">Llamar al </span>
        <b className="tabular-nums">{line.shown_number}</b>
        <span className="quick-dial__name">
          {callWords(line)}
          {country && <span className="visually-hidden">, {country}</span>}
        </span>
      </span>
    </a>
  );
}

/** Call buttons for the first lines of a country and its emergency number. */
export const CallList = ({ groups }: { groups: HelpLineGroupsView }) => (
  <ul className="quick-dial">
    {firstCalls(groups).map((line) => (
      <li key={helpLineKey(line)}>
        <FirstCall line={line} />
      </li>
    ))}
  </ul>
);

/** Call buttons with the restrictions of each line below. @param country country of the lines */
export function FirstCalls({ groups, country }: { groups: HelpLineGroupsView; country: string }) {
  const notes = groups.first.map((line) =>
    [line.name.replace(/, desde .*/, ""), hoursAndCost(line), line.reach].filter(Boolean).join(". "),
  );
  return (
    <>
      <CallList groups={groups} />
      <p className="quick-dial__notes">
        {[...new Set(notes)].map((note) => `${note}. `)}
        Son líneas de {country}: atienden personas, no {PRODUCT_NAME}.
      </p>
    </>
  );
}
