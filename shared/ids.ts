/** Pattern of an id in PostgreSQL's spelling. Imports no zod, because rules use it too. */
export const UUID_PATTERN = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

const WHOLE = new RegExp(`^${UUID_PATTERN}$`);

/** True if a text has the form of an id. */
export const isUuid = (text: unknown): text is string => typeof text === "string" && WHOLE.test(text);
