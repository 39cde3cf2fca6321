import type { ReactNode } from "react";
import shelf from "./shelf.svg";

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

/** The living room of the cover: plant, couch, lamp. */
export function RoomScene({ className }: DrawingProps) {
  return (
    <svg className={className} viewBox="0 20 624 386" aria-hidden="true">
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

/** Only couch and lamp, for a band at the end of a page or beside a form. */
export function CouchScene({ className }: DrawingProps) {
  return (
    <svg className={className} viewBox="40 0 548 376" aria-hidden="true">
      <CouchShape />
      <LampShape x={522} />
    </svg>
  );
}

/** A couch without cushions, for lists that are empty. */
export function EmptyCouch({ className }: DrawingProps) {
  return (
    <svg className={className} viewBox="40 180 452 212" aria-hidden="true">
      <ellipse cx="266" cy="380" rx="226" ry="10" fill="var(--d-clay-2)" opacity=".45" />
      <CouchShape cushions={false} />
    </svg>
  );
}

/** An empty armchair: an anonymous author, or one who has left. */
export function EmptyArmchair({ className }: DrawingProps) {
  return (
    <svg className={className} viewBox="0 0 240 212" aria-hidden="true">
      <ellipse cx="120" cy="200" rx="108" ry="9" fill="var(--d-clay-2)" opacity=".45" />
      <ArmchairShape />
    </svg>
  );
}

/** The armchair without its shadow, to stand on the edge of a card; `children` lie on its seat (seat-objects.tsx). */
export function Armchair({ children }: { children?: ReactNode }) {
  return (
    <svg viewBox="8 12 224 184" aria-hidden="true">
      <ArmchairShape>{children}</ArmchairShape>
    </svg>
  );
}

function ArmchairShape({ children }: { children?: ReactNode }) {
  return (
    <>
      <rect x="48" y="14" width="144" height="134" rx="36" fill="var(--d-couch)" />
      <g fill="var(--d-couch-3)">
        <circle cx="94" cy="56" r="5" />
        <circle cx="146" cy="56" r="5" />
      </g>
      <rect x="68" y="94" width="104" height="52" rx="18" fill="var(--d-couch-2)" />
      {children}
      <path d="M12 84a30 30 0 0 1 60 0v88H28a16 16 0 0 1-16-16z" fill="var(--d-couch)" />
      <path d="M228 84a30 30 0 0 0-60 0v88h44a16 16 0 0 0 16-16z" fill="var(--d-couch)" />
      <rect x="52" y="138" width="136" height="38" rx="10" fill="var(--d-couch-3)" />
      <path d="M36 170h18l-6 26H36zM204 170h-18l6 26h12z" fill="var(--d-wood)" />
    </>
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

export type ShelfObjectName = "certificate" | "globe" | "screen" | "books" | "clock" | "cups";

/** Something that stands on a shelf: its lower edge is the board. The shapes are a file of their own, since they lie below what a visitor sees first. */
export function ShelfObject({ name, className }: DrawingProps & { name: ShelfObjectName }) {
  return (
    <svg className={className} viewBox="0 0 120 120" aria-hidden="true">
      <use href={`${shelf}#${name}`} />
    </svg>
  );
}
