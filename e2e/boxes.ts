import type { Locator } from "@playwright/test";

export const boxOf = async (part: Locator) => (await part.boundingBox())!;

export const boxesOverlap = (one: Awaited<ReturnType<typeof boxOf>>, other: Awaited<ReturnType<typeof boxOf>>) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
