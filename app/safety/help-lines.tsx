import { useId } from "react";
import { Link } from "react-router";
import { helpAddress } from "#app/lib/help-address.ts";
import type { Icon } from "#app/ui/icon.tsx";
import { ExternalIcon, MailIcon, PhoneIcon, WhatsAppIcon } from "#app/ui/more-icons.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import "./help-lines.css";

/** What the screen needs of one line, as the API sends it; the server's own lines fit it as they are. */
export type HelpLineView = {
  readonly country: string | null;
  readonly name: string;
  readonly kind: string;
  readonly shown_number: string | null;
  readonly dial_number: string | null;
  readonly channel: string;
  readonly contact_url: string | null;
  readonly hours: string | null;
  readonly cost: string | null;
  readonly reach: string | null;
  readonly official_url: string | null;
  /** YYYY-MM-DD */
  readonly verified_on: string;
};

export type HelpLineGroupsView = {
  readonly first: readonly HelpLineView[];
  readonly emergency: readonly HelpLineView[];
  readonly others: readonly HelpLineView[];
};

type HeadingLevel = "h2" | "h3" | "h4";

/** The lines after the first ones and emergencies, in the order in which they are shown. */
const OTHER_PANELS = [
  { heading: "Si alguien te hace daño", kinds: ["violence"] },
  { heading: "Niñez y adolescencia", kinds: ["children"] },
  { heading: "Otras líneas para hablar", kinds: ["crisis", "support"] },
] as const;

/** Where the lines for children of the chosen country begin. */
export const CHILDREN_ANCHOR = "ninez";

const OPEN_PAGE = { verb: "Abrir la página", Icon: ExternalIcon };
const ACTIONS: Readonly<Record<string, { verb: string; Icon: Icon }>> = {
  phone: { verb: "Llamar al", Icon: PhoneIcon },
  whatsapp: { verb: "Escribir por WhatsApp al", Icon: WhatsAppIcon },
  mail: { verb: "Escribir a", Icon: MailIcon },
  chat: OPEN_PAGE,
};

const ALWAYS = "24/7";

// Month and year only: some sources give no day. UTC, so that server and browser write the same month.
const MONTH = new Intl.DateTimeFormat("es", { month: "long", year: "numeric", timeZone: "UTC" });

/**
 * All lines of one country in panels: first, emergency, violence, children, then all others.
 * @param headingLevel level of the panels' headings, to follow the page's own
 * @param anchored the lines for children get their anchor; for one list of a page at most
 */
export function HelpLinesList({
  groups,
  headingLevel = "h2",
  anchored = false,
}: {
  groups: HelpLineGroupsView;
  headingLevel?: HeadingLevel;
  anchored?: boolean;
}) {
  return (
    <div className="stack">
      <HelpLinesPanel heading="Para hablar ahora" headingLevel={headingLevel} lines={groups.first} />
      {groups.emergency.length > 0 ? (
        <HelpLinesPanel heading="Si hay peligro ahora" headingLevel={headingLevel} lines={groups.emergency} />
      ) : (
        <p className="panel">
          Si hay peligro ahora, llama a los servicios de emergencia de tu país o pide a alguien que esté cerca que llame
          por ti.
        </p>
      )}
      {OTHER_PANELS.map(({ heading, kinds }) => {
        const lines = groups.others.filter(({ kind }) => kinds.some((one) => one === kind));
        const id = anchored && heading === "Niñez y adolescencia" ? CHILDREN_ANCHOR : undefined;
        return (
          lines.length > 0 && (
            <HelpLinesPanel key={heading} id={id} heading={heading} headingLevel={headingLevel} lines={lines} />
          )
        );
      })}
      <CheckedOn lines={[...groups.first, ...groups.emergency, ...groups.others]} />
    </div>
  );
}

/**
 * A short block with the few lines that matter here: beside a limit, a warning, a consultation.
 * @param country the person's country; null when it is not known, which the text then says
 */
export function HelpLinesCallout({
  lines,
  country,
  heading = "Si no puedes esperar, no esperes.",
  headingLevel: Heading = "h2",
}: {
  lines: readonly HelpLineView[];
  country: string | null;
  heading?: string;
  headingLevel?: HeadingLevel;
}) {
  const headingId = useId();
  return (
    <section className="lifeline" aria-labelledby={headingId}>
      <div>
        <Heading id={headingId} className="title-s">
          {heading}
        </Heading>
        <p>
          {country === null
            ? "No sabemos en qué país estás. En este directorio puedes encontrar una línea; si hay peligro ahora, llama a los servicios de emergencia de tu país."
            : `Estas líneas son de ${country}. Atienden personas, no ${PRODUCT_NAME}.`}
        </p>
      </div>
      <ul className="stack">
        {lines.map((line) => (
          <HelpLineRow key={keyOf(line)} line={line} />
        ))}
      </ul>
      <CheckedOn lines={lines} />
      <p>
        <Link to={helpAddress(country)}>Ver todas las líneas, también las de otros países</Link>
      </p>
    </section>
  );
}

/**
 * Where or when a line may leave people of its country without an answer, and what to do then; null where it serves the
 * whole country. "Desde ..." only says from which telephones.
 */
const mayNotAnswer = ({ reach }: HelpLineView): string | null => (reach?.startsWith("Desde ") ? null : reach);

/** "24/7, gratis" */
const whenAndFor = ({ hours, cost }: HelpLineView) =>
  [hours, hours ? cost?.toLocaleLowerCase("es") : cost].filter(Boolean).join(", ");

/** The lines to call first, and one for emergencies: between a consultation and its answers, so that they need not be looked for. */
export function HelpLinesStrip({ groups, country }: { groups: HelpLineGroupsView; country: string | null }) {
  const headingId = useId();
  // A country can have a number for fixed telephones and another one for mobiles: both are needed.
  const lines = [...groups.first, ...groups.emergency.slice(0, 1)].filter((line) => line.dial_number !== null);
  if (!country || lines.length === 0) return null;
  return (
    <section className="lifeline help-strip" aria-labelledby={headingId}>
      <h2 id={headingId}>Si hoy se hace muy difícil, llama</h2>
      <p className="help-strip__whose">
        Son líneas de {country}.<span className="help-strip__rest"> Atienden personas, no {PRODUCT_NAME}.</span>
      </p>
      <ul className="first-calls">
        {lines.map((line) => (
          <li key={keyOf(line)}>
            <a className="first-call" href={telephone(line.dial_number!)}>
              <PhoneIcon />
              <span className="first-call__to">
                <span className="visually-hidden">Llamar al </span>
                <b className="digits">{line.shown_number}</b>
                <span className="first-call__who">
                  {line.name}
                  {/* Also where there is little room, hours in which no one answers are shown. */}
                  {line.hours !== null && (
                    <span className={line.hours === ALWAYS ? "help-strip__rest" : undefined}>{`. ${line.hours}`}</span>
                  )}
                  <span className="help-strip__rest">{line.cost !== null && `. ${line.cost}`}</span>
                  {line.reach !== null && (
                    <span className={mayNotAnswer(line) ? undefined : "help-strip__rest"}>{`. ${line.reach}`}</span>
                  )}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <Link className="icon-link help-strip__more" to={helpAddress(country)}>
        Más líneas
      </Link>
    </section>
  );
}

function HelpLinesPanel({
  heading,
  headingLevel: Heading,
  lines,
  id,
}: {
  heading: string;
  headingLevel: HeadingLevel;
  lines: readonly HelpLineView[];
  id?: string;
}) {
  return (
    <div className="panel stack" id={id}>
      <Heading className="title-m">{heading}</Heading>
      <ul className="stack">
        {lines.map((line) => (
          <HelpLineRow key={keyOf(line)} line={line} />
        ))}
      </ul>
    </div>
  );
}

/** When these data were checked, once for all of them: the months of the oldest and of the newest. */
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

/**
 * Every country with the numbers of its first lines, to call at once; the country leads to all its lines.
 * @param countries those of the list; a fallback without a number has no row
 */
export function FirstLinesByCountry({
  countries,
}: {
  countries: readonly (HelpLineGroupsView & { country: string | null })[];
}) {
  return (
    <ul className="first-lines">
      {countries.flatMap(({ country, first }) =>
        first.map(
          (line) =>
            country &&
            line.dial_number !== null && (
              <li key={keyOf(line)}>
                <Link to={helpAddress(country)} className="first-lines__country">
                  <b>{country}</b>
                  {/* Of two lines one says from which telephone it is reached. */}
                  {first.length > 1 && <span>{line.name}</span>}
                  <span>{whenAndFor(line)}</span>
                </Link>
                <a className="first-lines__call" href={telephone(line.dial_number)}>
                  <PhoneIcon />
                  <b className="digits">{line.shown_number}</b>
                  <span>
                    Llamar
                    <span className="visually-hidden">
                      {" "}
                      a {line.name}, {country}
                    </span>
                  </span>
                </a>
                {mayNotAnswer(line) && <p className="first-lines__note">{mayNotAnswer(line)}.</p>}
              </li>
            ),
        ),
      )}
    </ul>
  );
}

/** The button follows the name at once, so that nothing has to be read before calling. */
function HelpLineRow({ line }: { line: HelpLineView }) {
  const facts = whenAndFor(line);
  return (
    <li className="row row--apart help-line">
      <b className="help-line__name">{line.name}</b>
      <HelpLineAction line={line} />
      <div className="help-line__facts">
        {facts && <p className="soft">{facts}</p>}
        {line.reach !== null && <p className="soft">{`${line.reach}.`}</p>}
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

/** The button shows the whole number, never a shortened one. Without number and address it is plain text. */
function HelpLineAction({ line }: { line: HelpLineView }) {
  const href = line.dial_number === null ? line.contact_url : telephone(line.dial_number);
  if (href === null) return <b className="digits">{line.shown_number}</b>;
  const { verb, Icon } = ACTIONS[line.channel] ?? OPEN_PAGE;
  return (
    <a className="button button--clay button--small digits" href={href} rel="noreferrer">
      <Icon size="s" />
      <span>
        <span className="visually-hidden">{`${verb} `}</span>
        {line.shown_number ?? line.name}
      </span>
    </a>
  );
}

// "#" ends an address, so it has to be written as %23; "*" stays as it is.
const telephone = (number: string) => `tel:${encodeURIComponent(number)}`;

function keyOf(line: HelpLineView): string {
  return `${line.country} ${line.name} ${line.shown_number}`;
}
