import { Icon, type IconName } from "#app/ui/icon.tsx";
import type { HelpLineChannel, HelpLineKind, HelpLineView } from "#shared/safety.ts";
import { type HelpLineGroupsView, helpLineKey, hoursAndCost, telHref } from "./first-calls.tsx";
import "./help-lines.css";

export const CHILDREN_ANCHOR = "ninez";

const OTHER_PANELS: readonly { heading: string; kinds: readonly HelpLineKind[]; anchor?: string }[] = [
  { heading: "Si alguien te hace daño", kinds: ["violence"] },
  { heading: "Niñez y adolescencia", kinds: ["children"], anchor: CHILDREN_ANCHOR },
  { heading: "Otras líneas para hablar", kinds: ["crisis", "support"] },
];

const OPEN_PAGE = { verb: "Abrir la página", icon: "external" } as const;
const ACTIONS: Record<HelpLineChannel, { verb: string; icon: IconName }> = {
  phone: { verb: "Llamar al", icon: "phone" },
  whatsapp: { verb: "Escribir por WhatsApp al", icon: "whats-app" },
  mail: { verb: "Escribir a", icon: "mail" },
  chat: OPEN_PAGE,
};

// Month and year only, because some sources give no day. Uses UTC, so that server and browser agree.
const MONTH = new Intl.DateTimeFormat("es", { month: "long", year: "numeric", timeZone: "UTC" });

/** @param anchored true to set the anchor of the lines for children; at most once per page */
export const HelpLinesList = ({ groups, anchored = false }: { groups: HelpLineGroupsView; anchored?: boolean }) => (
  <div className="stack">
    <HelpLinesPanel heading="Para hablar ahora" lines={groups.first} urgent />
    {groups.emergency.length > 0 ? (
      <HelpLinesPanel heading="Si hay peligro ahora" lines={groups.emergency} urgent />
    ) : (
      <p className="panel">
        Si hay peligro ahora, llama a los servicios de emergencia de tu país o pide a alguien que esté cerca que llame
        por ti.
      </p>
    )}
    {OTHER_PANELS.map(({ heading, kinds, anchor }) => {
      const lines = groups.others.filter(({ kind }) => kinds.includes(kind));
      const id = anchored ? anchor : undefined;
      return lines.length > 0 && <HelpLinesPanel key={heading} id={id} heading={heading} lines={lines} />;
    })}
    <CheckedOn lines={[...groups.first, ...groups.emergency, ...groups.others]} />
  </div>
);

type PanelProps = { heading: string; lines: readonly HelpLineView[]; id?: string; urgent?: boolean };

const HelpLinesPanel = ({ heading, lines, id, urgent }: PanelProps) => (
  <div className="panel stack" id={id}>
    <h3 className="title-m">{heading}</h3>
    <ul className="stack">
      {lines.map((line) => (
        <HelpLineRow key={helpLineKey(line)} line={line} urgent={urgent} />
      ))}
    </ul>
  </div>
);

function CheckedOn({ lines }: { lines: readonly HelpLineView[] }) {
  const dates = lines.map(({ verified_on }) => verified_on).sort();
  const time = (date: string) => <time dateTime={date}>{MONTH.format(new Date(date))}</time>;
  const [oldest, newest] = [dates.at(0), dates.at(-1)];
  if (!oldest || !newest) return null;
  const oneMonth = oldest.slice(0, 7) === newest.slice(0, 7);
  return (
    <p className="faint">
      Datos revisados{" "}
      {oneMonth ? (
        <>en {time(newest)}</>
      ) : (
        <>
          entre {time(oldest)} y {time(newest)}
        </>
      )}
    </p>
  );
}

type HelpLineProps = { line: HelpLineView; urgent?: boolean };

/** The button is directly after the name, so that the user can call without reading more. */
function HelpLineRow({ line, urgent }: HelpLineProps) {
  const facts = hoursAndCost(line);
  return (
    <li className="help-line">
      <b>{line.name}</b>
      <HelpLineAction line={line} urgent={urgent} />
      <div>
        {facts && <p className="text-muted">{facts}</p>}
        {line.reach !== null && <p className="text-muted">{`${line.reach}.`}</p>}
        {line.official_url !== null && (
          <p className="faint">
            <a href={line.official_url} rel="noreferrer">
              Página oficial<span className="visually-hidden"> de {line.name}</span>
            </a>
          </p>
        )}
      </div>
    </li>
  );
}

function HelpLineAction({ line, urgent = false }: HelpLineProps) {
  const href = line.dial_number === null ? line.contact_url : telHref(line.dial_number);
  if (href === null) return <b className="tabular-nums">{line.shown_number}</b>;
  const { verb, icon } = ACTIONS[line.channel];
  return (
    <a
      className={`button ${urgent ? "button--help button--wide" : "button--clay-soft button--small"} tabular-nums`}
      href={href}
      rel="noreferrer"
    >
      <Icon name={icon} size="s" />
      <span>
        <span className="visually-hidden">{`${verb} `}</span>
        {line.shown_number ?? line.name}
      </span>
    </a>
  );
}
