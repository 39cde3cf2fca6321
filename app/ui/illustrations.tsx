import objects from "./objects.svg";
import room from "./room.svg";
import shelf from "./shelf.svg";

export const Furniture = ({ name, at }: { name: string; at?: string }) => (
  <use href={`${room}#${name}`} transform={at && `translate(${at})`} />
);

export function RoomScene() {
  return (
    <svg viewBox="0 20 624 386" aria-hidden="true">
      <ellipse cx="288" cy="386" rx="256" ry="12" fill="var(--d-clay-2)" opacity=".6" />
      <Furniture name="couch" at="24 6" />
      <Furniture name="cushions" at="24 6" />
      <Furniture name="lamp" at="548 0" />
      <Furniture name="plant" at="52 0" />
    </svg>
  );
}

export function CouchScene({ className }: { className?: string }) {
  return (
    <svg className={className} viewBox="40 0 548 376" aria-hidden="true">
      <Furniture name="couch" />
      <Furniture name="cushions" />
      <Furniture name="lamp" at="522 0" />
    </svg>
  );
}

export function EmptyCouch() {
  return (
    <svg viewBox="40 180 452 212" aria-hidden="true">
      <ellipse cx="266" cy="380" rx="226" ry="10" fill="var(--d-clay-2)" opacity=".45" />
      <Furniture name="couch" />
    </svg>
  );
}

export type ArmchairObject = "key" | "phone" | "letter" | "padlock" | "message" | "box" | "mug";

export function Armchair({ object }: { object?: ArmchairObject }) {
  return (
    <svg viewBox="8 12 224 184" aria-hidden="true">
      <Furniture name="armchair-back" />
      {object && <use href={`${objects}#${object}`} />}
      <Furniture name="armchair-front" />
    </svg>
  );
}

export function Cup() {
  return (
    <svg className="cup" viewBox="0 0 90 80" aria-hidden="true">
      <Furniture name="cup" />
    </svg>
  );
}

export type ShelfObjectName = "certificate" | "globe" | "screen" | "books" | "clock" | "cups";

/** Object on a shelf. Its shapes are in another SVG file, because they are below the first screen. */
export function ShelfObject({ name }: { name: ShelfObjectName }) {
  return (
    <svg viewBox="0 0 120 120" aria-hidden="true">
      <use href={`${shelf}#${name}`} />
    </svg>
  );
}
