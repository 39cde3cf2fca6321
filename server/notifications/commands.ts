import type { z } from "zod";
import { AppError } from "#shared/errors.ts";
import type { DeviceInput } from "#shared/notifications.ts";
import type { Context } from "../context.ts";
import { isPushEndpoint } from "../integrations/web-push.ts";
import type { Session } from "../sessions/viewer.ts";
import { insertPushDevice } from "./store.ts";

/**
 * Sends pushes to the session's browser from now on. A repetition changes nothing.
 * @throws AppError invalid_input if the endpoint is not on the internet
 */
export async function addPushDevice(
  { db, config, now }: Context,
  session: Session,
  device: z.infer<typeof DeviceInput>,
): Promise<void> {
  if (!isPushEndpoint(device.endpoint, config.pushTestOrigin))
    throw new AppError("invalid_input", { fields: { endpoint: "Esta dirección no es de un servicio de avisos." } });
  await db
    .transaction()
    .execute((tx) => insertPushDevice(tx, session.viewer.id, { ...device, session_id: session.id, created_at: now() }));
}
