import objects from "./objects.svg";
import room from "./room.svg";

export const Furniture = ({ name, at }: { name: string; at?: string }) => (
  <use href={`${room}#${name}`} transform={at && `translate(${at})`} />
);

export const CouchScene = ({ className }: { className?: string }) => (
  <svg className={className} viewBox="40 0 548 376" aria-hidden="true">
    <Furniture name="couch" />
    <Furniture name="cushions" />
    <Furniture name="lamp" at="522 0" />
  </svg>
);

export const EmptyCouch = () => (
  <svg viewBox="40 180 452 212" aria-hidden="true">
    <ellipse cx="266" cy="380" rx="226" ry="10" fill="var(--d-clay-2)" opacity=".45" />
    <Furniture name="couch" />
  </svg>
);

export type ArmchairObject = "key" | "phone" | "letter" | "padlock" | "message" | "box" | "mug";

export const Armchair = ({ object }: { object?: ArmchairObject }) => (
  <svg viewBox="8 12 224 184" aria-hidden="true">
    <Furniture name="armchair-back" />
    {object && <use href={`${objects}#${object}`} />}
    <Furniture name="armchair-front" />
  </svg>
);

export const Cup = () => (
  <svg className="cup" viewBox="0 0 90 80" aria-hidden="true">
    <Furniture name="cup" />
  </svg>
);
