/** How an id looks, as a part of patterns; PostgreSQL writes them so. No zod: rules use it too. */
export const ID_PATTERN = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

const WHOLE = new RegExp(`^${ID_PATTERN}$`);

/** Whether a text can be an id of ours. */
export const isId = (text: unknown): text is string => typeof text === "string" && WHOLE.test(text);
