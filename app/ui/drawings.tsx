import type { ReactElement } from "react";

interface DrawingProps {
  className?: string;
}

/** The couch that all rooms share, on a ground of 560 x 376. */
function CouchShape({ cushions = true }: { cushions?: boolean }) {
  return (
    <>
      <rect x="96" y="196" width="340" height="132" rx="34" fill="var(--d-couch)" />
      <path d="M266 200v80" stroke="var(--d-couch-3)" strokeWidth="4" strokeLinecap="round" />
      <g fill="var(--d-couch-3)">
        <circle cx="154" cy="234" r="5" />
        <circle cx="210" cy="234" r="5" />
        <circle cx="322" cy="234" r="5" />
        <circle cx="378" cy="234" r="5" />
      </g>
      <rect x="112" y="274" width="154" height="50" rx="18" fill="var(--d-couch-2)" />
      <rect x="266" y="274" width="154" height="50" rx="18" fill="var(--d-couch-2)" />
      <path d="M60 262a30 30 0 0 1 60 0v88H76a16 16 0 0 1-16-16z" fill="var(--d-couch)" />
      <path d="M472 262a30 30 0 0 0-60 0v88h44a16 16 0 0 0 16-16z" fill="var(--d-couch)" />
      <rect x="100" y="318" width="332" height="38" rx="10" fill="var(--d-couch-3)" />
      <path d="M84 350h18l-6 26H84zM448 350h-18l6 26h12z" fill="var(--d-wood)" />
      {cushions && (
        <>
          <rect x="128" y="226" width="74" height="66" rx="15" fill="var(--d-clay)" transform="rotate(-11 165 259)" />
          <rect x="148" y="240" width="74" height="58" rx="15" fill="var(--d-clay-2)" transform="rotate(7 185 269)" />
        </>
      )}
    </>
  );
}

function LampShape({ x }: { x: number }) {
  return (
    <g transform={`translate(${x} 0)`}>
      <path d="M-3 96h6v274h-6z" fill="var(--d-line)" />
      <ellipse cx="0" cy="374" rx="38" ry="8" fill="var(--d-line)" />
      <path d="M-34 30h68l24 78H-58z" fill="var(--lamp)" />
      <path d="M-58 108H58l2 8H-60z" fill="var(--d-clay-2)" />
    </g>
  );
}

/** The living room of the cover: plant, couch, lamp. It stands on the lower edge, at the right where it does not fill the width. */
export function RoomScene({ className }: DrawingProps) {
  return (
    <svg className={className} viewBox="4 20 616 386" preserveAspectRatio="xMaxYMax meet" aria-hidden="true">
      <ellipse cx="288" cy="386" rx="256" ry="12" fill="var(--d-clay-2)" opacity=".6" />
      <g transform="translate(24 6)">
        <CouchShape />
      </g>
      <LampShape x={548} />
      <g transform="translate(52 0)">
        <path d="M-3 330C-8 270-6 230 2 186" stroke="var(--d-leaf)" strokeWidth="5" fill="none" strokeLinecap="round" />
        <path d="M0 270c-38-2-52-28-50-56 32 2 52 22 50 56z" fill="var(--d-leaf)" />
        <path d="M0 240c34-4 46-28 42-56-30 6-46 26-42 56z" fill="var(--d-leaf-2)" />
        <path d="M2 200c-22-14-24-42-8-62 20 16 24 42 8 62z" fill="var(--d-leaf)" />
        <path d="M-2 306c30 0 48-18 50-46-30-2-50 16-50 46z" fill="var(--d-leaf)" />
        <path d="M-34 318h68l-9 58h-50z" fill="var(--d-clay)" />
        <path d="M-38 312h76v13h-76z" fill="var(--d-clay-2)" />
      </g>
    </svg>
  );
}

/** Couch and lamp alone, for a band at the end of a page or beside a form. */
export function CouchScene({ className }: DrawingProps) {
  return (
    <svg className={className} viewBox="40 0 548 376" aria-hidden="true">
      <CouchShape />
      <LampShape x={522} />
    </svg>
  );
}

/** Nobody has sat down yet: a couch without cushions. For places that are empty. */
export function EmptyCouch({ className }: DrawingProps) {
  return (
    <svg className={className} viewBox="40 180 452 212" aria-hidden="true">
      <ellipse cx="266" cy="380" rx="226" ry="10" fill="var(--d-clay-2)" opacity=".45" />
      <CouchShape cushions={false} />
    </svg>
  );
}

/** An empty armchair: somebody who is here and prefers not to be known, or who is no longer here. */
export function EmptyArmchair({ className }: DrawingProps) {
  return (
    <svg className={className} viewBox="0 0 240 212" aria-hidden="true">
      <ellipse cx="120" cy="200" rx="108" ry="9" fill="var(--d-clay-2)" opacity=".45" />
      <rect x="48" y="14" width="144" height="134" rx="36" fill="var(--d-couch)" />
      <g fill="var(--d-couch-3)">
        <circle cx="94" cy="56" r="5" />
        <circle cx="146" cy="56" r="5" />
      </g>
      <rect x="68" y="94" width="104" height="52" rx="18" fill="var(--d-couch-2)" />
      <path d="M12 84a30 30 0 0 1 60 0v88H28a16 16 0 0 1-16-16z" fill="var(--d-couch)" />
      <path d="M228 84a30 30 0 0 0-60 0v88h44a16 16 0 0 0 16-16z" fill="var(--d-couch)" />
      <rect x="52" y="138" width="136" height="38" rx="10" fill="var(--d-couch-3)" />
      <path d="M36 170h18l-6 26H36zM204 170h-18l6 26h12z" fill="var(--d-wood)" />
    </svg>
  );
}

/** A cup of coffee, with its steam. */
export function Cup({ className = "cup" }: DrawingProps) {
  return (
    <svg className={className} viewBox="0 0 90 80" aria-hidden="true">
      <ellipse cx="42" cy="70" rx="34" ry="6" fill="var(--d-wood-2)" />
      <path d="M18 32h48v16a20 20 0 0 1-20 20h-8a20 20 0 0 1-20-20z" fill="var(--d-clay)" />
      <path d="M66 37h5a8 8 0 0 1 0 17h-6.5" fill="none" stroke="var(--d-clay)" strokeWidth="5" />
      <path d="M18 32h48v5H18z" fill="var(--d-clay-2)" />
      <path
        d="M34 24c-4-5 4-8 0-14M47 24c-4-5 4-8 0-14"
        fill="none"
        stroke="var(--d-clay-2)"
        strokeWidth="3"
        strokeLinecap="round"
      />
    </svg>
  );
}

const SHELF = {
  certificate: (
    <>
      <rect x="18" y="26" width="84" height="94" rx="5" fill="var(--d-wood)" />
      <rect x="26" y="34" width="68" height="78" rx="2" fill="var(--d-paper)" />
      <path d="M38 50h44M38 62h44M38 74h26" stroke="var(--d-clay-2)" strokeWidth="5" strokeLinecap="round" />
      <circle cx="78" cy="92" r="13" fill="var(--d-couch)" />
      <path
        d="m72 92 4.5 4.5 8-9"
        stroke="var(--d-paper)"
        strokeWidth="3.5"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  globe: (
    <>
      <path d="M36 120h48l-6-10H42z" fill="var(--d-wood)" />
      <path d="M57 100h6v12h-6z" fill="var(--d-wood)" />
      <circle cx="60" cy="62" r="36" fill="var(--d-couch)" />
      <path
        d="M40 40c10-8 20-4 22 4s-8 10-4 18 14 6 12 18-12 14-14 16c-14-2-30-14-32-34 4-10 8-16 16-22zM82 44c8 4 12 12 13 20-8 2-14-4-16-10s0-8 3-10z"
        fill="var(--d-leaf-2)"
      />
      <path d="M84 26a44 44 0 0 1-10 78" stroke="var(--d-wood-2)" strokeWidth="5" fill="none" strokeLinecap="round" />
    </>
  ),
  screen: (
    <>
      <path d="M8 28l34-8v100H8z" fill="var(--d-clay)" />
      <path d="M42 20l36 10v90H42z" fill="var(--d-clay-2)" />
      <path d="M78 30l34-10v100H78z" fill="var(--d-clay)" />
      <path
        d="M25 60c-8 4-8 20 0 24M60 58c-9 6-9 22 0 28M95 60c-8 4-8 20 0 24"
        stroke="var(--d-paper)"
        strokeWidth="4"
        fill="none"
        strokeLinecap="round"
      />
    </>
  ),
  books: (
    <>
      <rect x="16" y="98" width="88" height="22" rx="3" fill="var(--d-couch)" />
      <rect x="24" y="78" width="76" height="20" rx="3" fill="var(--d-clay-2)" />
      <rect x="14" y="58" width="80" height="20" rx="3" fill="var(--d-leaf)" />
      <path d="M30 58h12v30l-6-5-6 5z" fill="var(--d-paper)" />
      <path d="m66 14 7 13.5 15 2.3-10.7 10.7 2.4 15L66 48.7 52.3 55.5l2.4-15L44 29.800l15-2.300z" fill="var(--gold)" />
    </>
  ),
  clock: (
    <>
      <path d="M24 120V66a36 36 0 0 1 72 0v54z" fill="var(--d-wood)" />
      <circle cx="60" cy="68" r="26" fill="var(--d-paper)" />
      <path
        d="M60 52v17l11 7"
        stroke="var(--d-couch)"
        strokeWidth="5"
        fill="none"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M16 112h88v8H16z" fill="var(--d-wood-2)" />
    </>
  ),
  cups: (
    <>
      <path d="M10 76h42v18a18 18 0 0 1-18 18h-6a18 18 0 0 1-18-18z" fill="var(--d-couch)" />
      <path d="M52 82h4a8 8 0 0 1 0 16h-5" stroke="var(--d-couch)" strokeWidth="5" fill="none" />
      <path d="M70 76h42v18a18 18 0 0 1-18 18h-6a18 18 0 0 1-18-18z" fill="var(--d-clay)" />
      <path d="M70 82h-2" stroke="var(--d-clay)" strokeWidth="5" />
      <path d="M6 112h52v8H6zM66 112h50v8H66z" fill="var(--d-wood-2)" />
      <path
        d="M36 22h44a10 10 0 0 1 10 10v16a10 10 0 0 1-10 10H58L46 68V58H36a10 10 0 0 1-10-10V32a10 10 0 0 1 10-10z"
        fill="var(--d-paper)"
      />
      <path d="M44 40h.1M58 40h.1M72 40h.1" stroke="var(--d-clay)" strokeWidth="7" strokeLinecap="round" />
    </>
  ),
} satisfies Record<string, ReactElement>;

export type ShelfObjectName = keyof typeof SHELF;

/** Something that stands on a shelf: its lower edge is the board. */
export function ShelfObject({ name, className }: DrawingProps & { name: ShelfObjectName }) {
  return (
    <svg className={className} viewBox="0 0 120 120" aria-hidden="true">
      {SHELF[name]}
    </svg>
  );
}
