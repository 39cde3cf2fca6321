/** When it is, wherever looks are recorded: a Friday evening in Buenos Aires. */
export const MOMENT = Date.UTC(2026, 10, 20, 22, 30);
